//go:build s3

package cloud

// Amazon's library makes the program 8.4 MB larger, so it is asked for.
import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
