package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

// schemas are Kubernetes' own of the kinds that the manifests have; see
// bench/kubernetes.py.
func schemas(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(checkout, "deploy/schemas/kubernetes-1.31.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*jsonschema.Resolved{}
	for kind, name := range map[string]string{
		"batch/v1 CronJob":                   "io.k8s.api.batch.v1.CronJob",
		"batch/v1 Job":                       "io.k8s.api.batch.v1.Job",
		"apps/v1 Deployment":                 "io.k8s.api.apps.v1.Deployment",
		"v1 Service":                         "io.k8s.api.core.v1.Service",
		"networking.k8s.io/v1 NetworkPolicy": "io.k8s.api.networking.v1.NetworkPolicy",
	} {
		schema := jsonschema.Schema{}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		schema.Ref = "#/$defs/" + name
		if found[kind], err = schema.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// checkManifest checks each object of a manifest against its kind's schema.
func checkManifest(schemas map[string]*jsonschema.Resolved, text []byte) (objects int, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	for ; ; objects++ {
		var decoded any
		if next := d.Decode(&decoded); errors.Is(next, io.EOF) {
			return objects, err
		} else if next != nil {
			return objects, errors.Join(err, next)
		}
		asJSON, failed := json.Marshal(decoded)
		var object map[string]any
		if failed = errors.Join(failed, json.Unmarshal(asJSON, &object)); failed != nil {
			return objects, errors.Join(err, failed)
		}
		kind := fmt.Sprint(object["apiVersion"], " ", object["kind"])
		schema, known := schemas[kind]
		if !known {
			err = errors.Join(err, fmt.Errorf("object %d is a %q, of which there is no schema", objects, kind))
		} else if wrong := schema.Validate(object); wrong != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", kind, wrong))
		}
	}
}

// The manifests are what Kubernetes takes, and a misspelt field is found.
func TestManifestsAreKubernetes(t *testing.T) {
	known := schemas(t)
	manifests := map[string]string{}
	for file, want := range map[string]int{"deploy/schedule/cronjob.yaml": 1, "deploy/flink/kubernetes.yaml": 5} {
		raw, err := os.ReadFile(filepath.Join(checkout, file))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := checkManifest(known, raw); n != want || err != nil {
			t.Errorf("%s has %d objects, want %d: %v", file, n, want, err)
		}
		manifests[filepath.Base(file)] = string(raw)
	}
	for _, c := range []struct{ file, right, wrong string }{
		{"cronjob.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFileSystem: true"}, // as many write it
		{"cronjob.yaml", "concurrencyPolicy: Forbid", "concurencyPolicy: Forbid"},
		{"cronjob.yaml", "backoffLimit: 2", "backoffLimit: two"},
		{"cronjob.yaml", "schedule: ", "schedules: "},
		{"cronjob.yaml", "apiVersion: batch/v1", "apiVersion: batch/v1beta1"},
		{"cronjob.yaml", "restartPolicy: Never", "restartPolicy: [Never]"},
		{"cronjob.yaml", "- name: commonplace\n", "- image: commonplace\n"},
		{"kubernetes.yaml", "fsGroup: 9999", "fsgroup: 9999"},
		{"kubernetes.yaml", "podSelector: {match", "podSelektor: {match"},
		{"kubernetes.yaml", "{name: rpc, port: 6123}", "{name: rpc, prot: 6123}"},
		{"kubernetes.yaml", "claimName: library", "claim: library"},
		{"kubernetes.yaml", "initialDelaySeconds: 60", "initialDelay: 60"},
		// values of fields that are strings
		{"cronjob.yaml", "concurrencyPolicy: Forbid", "concurrencyPolicy: Forbidden"},
		{"cronjob.yaml", "restartPolicy: Never", "restartPolicy: never"},
		{"cronjob.yaml", "action: FailJob", "action: FailsJob"},
		{"cronjob.yaml", "action: Ignore", "action: Ignored"},
		{"cronjob.yaml", "operator: In", "operator: in"},
		{"cronjob.yaml", `status: "True"`, `status: "true"`},
		{"cronjob.yaml", "type: RuntimeDefault", "type: runtime/default"}, // as the annotation was
		{"cronjob.yaml", "image: commonplace:0.1.0", "image: commonplace:0.1.0\n              imagePullPolicy: IfNotThere"},
		{"cronjob.yaml", "memory: 2Gi", "memory: 2GiB"},
		{"cronjob.yaml", "sizeLimit: 4Gi", "sizeLimit: 4 Gi"},
		{"kubernetes.yaml", "policyTypes: [Ingress]", "policyTypes: [Ingres]"},
		{"kubernetes.yaml", "name: rpc, port: 6123", "name: rpc, protocol: tcp, port: 6123"},
		{"kubernetes.yaml", "selector: {app: flink, part: master}", "type: clusterIP"},
		{"kubernetes.yaml", "replicas: 1", "strategy: {type: Recreated}"},
		{"kubernetes.yaml", "cpu: 500m", "cpu: 500 m"},
	} {
		misspelt := strings.Replace(manifests[c.file], c.right, c.wrong, 1)
		if _, err := checkManifest(known, []byte(misspelt)); misspelt == manifests[c.file] || err == nil {
			t.Errorf("%s: %q in place of %q is not noticed", c.file, c.wrong, c.right)
		}
	}
}
