"""Trains a task: any device, mixed precision, accumulated gradients, seeded; goes on where it was killed.

A task has
    model              a module
    purpose            what it is trained on (rows.py)
    metric             the name of what judge() says
    taught             the column that names what a row is of: a document, a context (Rows.training)
    steps(rng)         the groups of an epoch, in order; a group is what one loss needs
    loss(group)        a scalar tensor
    judge()            how good the model is on the validation rows; higher is better

State is kept after each epoch and every --save-every steps. A run that goes on takes the same
steps as one that was not killed: on a CPU it ends in the same weights.
"""

import contextlib
import json
import math
import os
import random
import sys
import time

import torch

from .curve import curve


def device_of(asked):
    if asked == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if asked == "cuda" and not torch.cuda.is_available():
        sys.exit("train: --device cuda: PyTorch finds no CUDA here; --device auto takes what there is")
    return asked


class Arithmetic:
    """float32, or mixed with bfloat16, or with float16 and scaled gradients where a GPU has no bfloat16."""

    def __init__(self, device, asked):
        self.device = device
        if asked == "auto":
            asked = "fp32" if device == "cpu" else "bf16" if torch.cuda.is_bf16_supported() else "fp16"
        if asked == "fp16" and device == "cpu":
            sys.exit("train: --mixed fp16 is for CUDA; on a CPU use fp32 or bf16")
        self.dtype = {"fp32": None, "bf16": torch.bfloat16, "fp16": torch.float16}[asked]
        self.scaler = torch.amp.GradScaler(device, enabled=self.dtype == torch.float16)

    def __call__(self):
        return torch.autocast(self.device, dtype=self.dtype) if self.dtype else contextlib.nullcontext()


class Run:
    def __init__(self, task, options, out):
        self.task, self.options, self.out = task, options, out
        self.arithmetic = Arithmetic(options.device, options.mixed)
        task.model.to(options.device)
        body = [p for n, p in task.model.named_parameters() if p.requires_grad and not is_head(n)]
        head = [p for n, p in task.model.named_parameters() if p.requires_grad and is_head(n)]
        self.parameters = body + head
        groups = [{"params": p, "lr": rate} for p, rate in ((body, options.lr), (head, options.head_lr)) if p]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        first = len(self.plan(0))
        self.total = max(1, math.ceil(first / options.accumulate) * options.epochs)
        if options.steps:
            self.total = min(self.total, options.steps)
        warm = max(1, self.total // 10)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: min(1, (s + 1) / warm) * max(0.0, 1 - s / self.total))
        self.epoch, self.at, self.step, self.best, self.kept = 0, 0, 0, -math.inf, None

    def plan(self, epoch):
        """The groups of an epoch: the same for each run with this seed."""
        return self.task.steps(random.Random(f"{self.options.seed} {epoch}"))

    def log(self, **what):
        what = {"seconds": round(time.monotonic() - self.began, 1)} | what
        print(" ".join(f"{k} {v:.4g}" if isinstance(v, float) else f"{k} {v}" for k, v in what.items()), flush=True)
        with open(self.out / "log.jsonl", "a", encoding="utf-8") as f:
            f.write(json.dumps(what) + "\n")

    def save(self):
        state = {
            "options": settings(self.options), "epoch": self.epoch, "at": self.at, "step": self.step, "best": self.best, "kept": self.kept,
            "model": self.task.model.state_dict(), "optimizer": self.optimizer.state_dict(), "schedule": self.schedule.state_dict(),
            "scaler": self.arithmetic.scaler.state_dict(), "random": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state() if self.options.device == "cuda" else None,
        }
        part = self.out / "state.part"
        torch.save(state, part)
        os.replace(part, self.out / "state.pt")

    def resume(self):
        path = self.out / "state.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location="cpu", weights_only=False)
        was, now = state["options"], settings(self.options)
        if other := sorted(k for k in was.keys() | now.keys() if was.get(k) != now.get(k)):
            sys.exit(f"train: {path} is of a run with another {', '.join(other)}: take the same, or another --out, or remove it")
        for name in ("epoch", "at", "step", "best", "kept"):
            setattr(self, name, state[name])
        self.task.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        self.arithmetic.scaler.load_state_dict(state["scaler"])
        torch.set_rng_state(state["random"])
        if state["cuda"] is not None:
            torch.cuda.set_rng_state(state["cuda"])
        return True

    def go(self):
        """Trains to the end and leaves the weights of the best epoch in the model."""
        self.began = time.monotonic()
        torch.manual_seed(self.options.seed + 1)
        if self.resume():
            self.log(event="goes on", epoch=self.epoch, step=self.step)
        while self.epoch < self.options.epochs and self.step < self.total:
            self.run_epoch()
            quality = self.judge()
            self.log(epoch=self.epoch + 1, step=self.step, **{self.task.metric: quality})
            if quality >= self.best:  # of equal ones the last, which has learnt longer
                self.best = quality
                self.kept = {k: v.detach().cpu().clone() for k, v in self.task.model.state_dict().items()}
            self.epoch, self.at = self.epoch + 1, 0
            self.save()
        if self.kept is not None:
            self.task.model.load_state_dict(self.kept)
        curve(self.out)
        return self.best

    def judge(self):
        self.task.model.eval()
        with torch.inference_mode(), self.arithmetic():
            return float(self.task.judge())

    def run_epoch(self):
        groups, total, seen = self.plan(self.epoch), 0.0, 0
        self.task.model.train()
        while self.at < len(groups) and self.step < self.total:
            part = groups[self.at : self.at + self.options.accumulate]
            for group in part:
                with self.arithmetic():
                    loss = self.task.loss(group)
                if not torch.isfinite(loss):
                    sys.exit(f"train: the loss of step {self.step} is {loss.item()}; try a lower --lr")
                if loss.requires_grad:
                    self.arithmetic.scaler.scale(loss / len(part)).backward()
                total, seen = total + loss.item(), seen + 1
            self.arithmetic.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.arithmetic.scaler.step(self.optimizer)
            self.arithmetic.scaler.update()
            self.optimizer.zero_grad()
            self.schedule.step()
            self.at, self.step = self.at + len(part), self.step + 1
            if self.step % 50 == 0:
                self.log(epoch=self.epoch + 1, step=self.step, of=self.total, loss=total / seen)
                total, seen = 0.0, 0
            if self.options.save_every and self.step % self.options.save_every == 0:
                self.save()


def is_head(name):
    return ".head." in f".{name}" or ".crf." in f".{name}"


def settings(options):
    """What a run that goes on must have in common with the one that was killed."""
    return {k: str(v) for k, v in sorted(vars(options).items()) if k not in ("out", "save_every", "licence", "source", "name", "precision", "threads")}
