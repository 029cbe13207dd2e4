package engine_test

import _ "github.com/commonplace/commonplace/pipelines" // all stages
