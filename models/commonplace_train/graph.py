"""ONNX graphs of modules, fused and in a precision, compared with PyTorch."""

import os
import pathlib
import sys
import tempfile
import typing

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded, which else reports to its makers
import onnx
import onnxruntime
import torch

from .agreement import check, padded, paragraphs

OPSET = 17
ENCODER_INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
PAD = ("[PAD]", "<pad>")
MASKS = ("[MASK]", "<mask>")


LARGEST = 2**31 - 2**26  # bytes of weights that are put in the graph: protobuf holds less than 2 GiB, the nodes included
WEIGHTS = "model.onnx.data"


class Graph(typing.NamedTuple):
    data: bytes
    weights: bytes = b""  # where they are too large for data: the file WEIGHTS beside it

    def write(self, folder):
        for name, content in (("model.onnx", self.data), (WEIGHTS, self.weights)):
            if content or name != WEIGHTS:
                (folder / f".{name}").write_bytes(content)
                (folder / f".{name}").replace(folder / name)  # who has the old file open keeps it
            else:
                (folder / name).unlink(missing_ok=True)

    def session(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(pathlib.Path(folder))
            return onnxruntime.InferenceSession(pathlib.Path(folder, "model.onnx"), providers=["CPUExecutionProvider"])


def exported(model, inputs, outputs):
    """The ONNX graph of a module whose inputs are int64 [n, tokens] each."""
    model.eval()  # the whole of it: the exporter gives the outermost module's mode back to all parts
    example = tuple(torch.ones((2, 4 + (name == "decoder_input_ids")), dtype=torch.int64) * (1 if "type" not in name else 0) for name in inputs)
    axes = {name: {0: "n", 1: "decoder_tokens" if name == "decoder_input_ids" else "tokens"} for name in inputs}
    got = model(*example)
    for name, value in zip(outputs, got, strict=True):
        axes[name] = {0: "n"}
        if value.dim() > 1 and value.shape[1] == example[-1].shape[1] and value.dim() + len(outputs) > 2 and value.shape[1] != 1:
            axes[name][1] = axes[inputs[-1]][1]
    with tempfile.TemporaryDirectory() as folder:  # the exporter writes weights that are too large beside the graph
        path = str(pathlib.Path(folder, "model.onnx"))
        torch.onnx.export(model, example, path, input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=OPSET, do_constant_folding=True)
        graph = onnx.load(path)
    for node in graph.graph.node:  # names of modules and places in the source only make the file larger
        node.doc_string = ""
    return graph


def export_graph(model, inputs, outputs):
    """The same as bytes."""
    return exported(model, inputs, outputs).SerializeToString(deterministic=True)


def size_of(graph):
    """Bytes of weights."""
    return sum(len(t.raw_data) for t in graph.graph.initializer)


def stored(graph):
    if size_of(graph) < LARGEST:
        return Graph(graph.SerializeToString(deterministic=True))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.onnx")
        onnx.save_model(graph, str(path), save_as_external_data=True, all_tensors_to_one_file=True, location=WEIGHTS, size_threshold=1024)
        return Graph(path.read_bytes(), (path.parent / WEIGHTS).read_bytes())


def halved(graph):
    """A graph with weights of 16 bits; its inputs and outputs stay as they are, and what is summed over many numbers keeps 32."""
    from onnxruntime.transformers.float16 import DEFAULT_OP_BLOCK_LIST, convert_float_to_float16

    with tempfile.TemporaryDirectory() as folder:  # with paths, which a graph of any size has
        plain, typed = (str(pathlib.Path(folder, name)) for name in ("plain.onnx", "typed.onnx"))
        onnx.save_model(graph, plain, save_as_external_data=True, all_tensors_to_one_file=True, location=WEIGHTS, size_threshold=1024)
        onnx.shape_inference.infer_shapes_path(plain, typed)
        graph = onnx.load(typed)
    kept = [*DEFAULT_OP_BLOCK_LIST, "LayerNormalization", "Pow", "ReduceMean", "Softmax", "Sqrt"]
    return convert_float_to_float16(graph, keep_io_types=True, disable_shape_infer=True, op_block_list=kept)


def fuse(data, config, precision):
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "plain.onnx"))
        pathlib.Path(path).write_bytes(data)
        m = optimizer.optimize_model(path, model_type="bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size, optimization_options=FusionOptions("bert"), opt_level=1)
        fused = sum(n.op_type in ("Attention", "MultiHeadAttention") for n in m.model.graph.node)
        if fused != config.num_hidden_layers:
            sys.exit(f"export: attention fused in {fused} of {config.num_hidden_layers} layers")
        if precision == "fp16":
            m.convert_float_to_float16(keep_io_types=True)
        if precision == "int8":
            from onnxruntime.quantization import QuantType, quantize_dynamic

            source, target = str(pathlib.Path(folder, "f.onnx")), str(pathlib.Path(folder, "q.onnx"))
            m.save_model_to_file(source)
            quantize_dynamic(source, target, weight_type=QuantType.QInt8, reduce_range=True, per_channel=True, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})
            return pathlib.Path(target).read_bytes()
        return m.model.SerializeToString(deterministic=True)


def check_length(model, tokenizer, inputs, most):
    """Some models have places for fewer tokens than --max says, which shows at the
    first text that is so long."""
    text = " ".join(paragraphs())
    while len(tokenizer.encode(text).ids) < most:
        text += " " + text
    feed = padded([tokenizer.encode(text)], inputs, 0)
    try:
        with torch.no_grad():
            model(*(torch.tensor(feed[name]) for name in inputs))
    except (IndexError, RuntimeError) as e:
        sys.exit(f"export: the model does not take {most} tokens, give a smaller --max: {e}")


def compare(graph, model, tokenizer, inputs, head, pooling, precision):
    """What models/commonplace_train/agreement.py says of the graph beside PyTorch."""
    session = graph.session()

    def reference(feed):
        with torch.no_grad():
            return [o.numpy() for o in model(*(torch.tensor(feed[name]) for name in inputs))]

    pad = next((i for i in map(tokenizer.token_to_id, PAD) if i is not None), 0)
    texts = paragraphs()
    before = texts[:1] if head in ("rank", "span", "tag") else []  # a context
    behind = next((f" {m}" for m in MASKS if head == "choice" and tokenizer.token_to_id(m) is not None), "")  # without it all texts are alike
    return check(precision, head, pooling, reference, lambda feed: session.run(None, feed), [tokenizer.encode(*before, p + behind) for p in texts], inputs, pad)
