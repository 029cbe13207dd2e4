"""A CRF over the labels O, B and I."""

import torch

FORBIDDEN = -10000.0
O, B, I = range(3)


class Chain(torch.nn.Module):
    """Scores of label after label; I after O and at the beginning is forbidden."""

    def __init__(self):
        super().__init__()
        self.transitions = torch.nn.Parameter(torch.zeros(3, 3))
        self.start = torch.nn.Parameter(torch.zeros(3))
        self.stop = torch.nn.Parameter(torch.zeros(3))
        never = torch.zeros(4, 3)
        never[O, I] = never[3, I] = FORBIDDEN
        self.register_buffer("never", never, persistent=False)

    def parts(self):
        """transitions, start and stop as model.yaml has them."""
        return self.transitions + self.never[:3], self.start + self.never[3], self.stop

    def loss(self, logits, labels, given=0):
        """Minus the log-probability of the labels [tokens] given the logits [tokens, 3] of one text.

        The first `given` labels are conditions: nothing teaches them, and the others follow them.
        """
        transitions, start, stop = self.parts()
        if given:
            if given >= len(labels):
                return logits.sum() * 0
            start = transitions[labels[given - 1]]
            logits, labels = logits[given:], labels[given:]
        path = start[labels[0]] + stop[labels[-1]] + logits.gather(1, labels[:, None]).sum() + transitions[labels[:-1], labels[1:]].sum()
        every = start + logits[0]
        for emission in logits[1:]:
            every = torch.logsumexp(every[:, None] + transitions, 0) + emission
        return torch.logsumexp(every + stop, 0) - path

    def best(self, logits):
        """The labels of the best path."""
        transitions, start, stop = (p.detach().cpu() for p in self.parts())
        logits, back = logits.detach().cpu(), []
        every = start + logits[0]
        for emission in logits[1:]:
            scores = every[:, None] + transitions
            back.append(scores.argmax(0))
            every = scores.max(0).values + emission
        path = [int((every + stop).argmax())]
        for step in reversed(back):
            path.append(int(step[path[-1]]))
        return path[::-1]

    def manifest(self):
        transitions, start, stop = (p.detach().cpu() for p in self.parts())
        plain = lambda t: [round(float(x), 6) for x in t]
        return {"names": ["O", "B", "I"], "transitions": [plain(r) for r in transitions], "start": plain(start), "stop": plain(stop)}
