// Package infer scores passages with ONNX models through ONNX Runtime. It is the
// only package that knows that library.
//
// A model is a folder:
//
//	model.onnx      the graph, whose weights may be in one more file
//	model.yaml      what it is: head, inputs, precision, licence, SHA-256 ([Manifest])
//	tokenizer.json  for graphs that read text, as Hugging Face writes it
//
// One example:
//
//	m, err := infer.LoadModel("models/quotability-features", infer.Options{})
//	if err != nil { ... }
//	defer m.Close()
//	scores, err := m.Score(ctx, passages)
//
// Everything that can be wrong with a folder is found by [LoadModel], before any
// work is done. A model may be used by many goroutines at once, and a passage's
// score does not depend on what it is batched with: graphs run in fixed shapes.
//
// ONNX Runtime is a shared library that is not linked in: [Library] says where
// it is looked for, models/fetch-onnxruntime.sh gets the pinned one.
package infer
