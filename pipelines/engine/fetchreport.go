package engine

import "time"

// FetchReport is how far fetching is.
type FetchReport struct {
	Wanted, Settled int   // documents and what they need, as far as is known
	Requests        int64 // answers kept in this run
	Bytes           int64 // of them
	Hosts           []HostReport
}

// HostReport is how far the worker of one host is.
type HostReport struct {
	Host  string     `json:"host"`
	Left  int        `json:"left"`          // on its list
	Until time.Time  `json:"until"`         // it waits until then
	Why   string     `json:"why,omitempty"` // because a server asked for it or failed
	Done  int        `json:"done"`          // of its list
	Count FetchCount `json:"count"`
}

// FetchCount is how much was asked of servers, and how much came.
type FetchCount struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
}
