package archive

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
)

// Forms of what is wanted.
const (
	FormText = "text" // a page in its place is no answer
	FormPage = "page"
	FormAny  = "any"
)

// Target is one thing to be had from the network, from the first of its addresses
// that has it.
type Target struct {
	ID        string          `json:"id"`
	Addresses []crawl.Address `json:"addresses"` // best first
	Form      string          `json:"form"`
	MaxBytes  int64           `json:"max_bytes,omitempty"`
	Signed    string          `json:"signed,omitempty"` // whose credentials go with the request
	Blank     bool            `json:"blank,omitempty"`  // an answer without a body is one: a blank page
}

// maxHops are redirects from one address, and maxTargetHops from all addresses of a
// target together: with them the number of its requests has an end, whatever
// servers answer.
const (
	maxHops       = 10
	maxTargetHops = 40
)

// Outcome is what became of a fetch target: an address to ask, an answer, or a reason.
type Outcome struct {
	Next   crawl.Address // valid: this has to be asked next
	Entry  Entry         // with Next: what is there already, for a conditional request
	Found  bool          // Entry is the answer
	Reason string        // why there is none
	Detail string
}

// Resolve says what became of a fetch target in the present pass.
func (a *Archive) Resolve(w Target) Outcome { return a.resolve(w, true) }

// Best says what can be had of a fetch target without asking: also what an earlier pass
// kept. What was never asked for has the reason [ReasonNotFetched].
func (a *Archive) Best(w Target) Outcome { return a.resolve(w, false) }

// Reasons of outcomes, beside those of fetch.
const (
	ReasonNotFetched   = "not fetched"
	ReasonNotFound     = "not found"
	ReasonStatus       = "refused by the server"
	ReasonRedirects    = "endless redirect"
	ReasonAddress      = fetch.ReasonAddress // of a redirect that leads to no web server
	ReasonNotText      = "not a text"
	ReasonInterstitial = "wants a person"
	ReasonEmpty        = "empty"
)

func (a *Archive) resolve(w Target, present bool) Outcome {
	refusal := Outcome{Reason: ReasonNotFound, Detail: "there is no address for it"}
	hops := maxTargetHops
	for i, address := range w.Addresses {
		o := a.follow(w, address, present, &hops)
		if o.Next.Valid() || o.Found || o.Reason == ReasonNotFetched {
			return o
		}
		// Of several reasons the first that is more than a missing file.
		if i == 0 || refusal.Reason == ReasonNotFound && o.Reason != ReasonNotFound {
			refusal = o
		}
	}
	return refusal
}

// follow goes from an address over its redirects to what is known. It takes
// redirects from hops, which are left for the target.
func (a *Archive) follow(w Target, address crawl.Address, present bool, hops *int) Outcome {
	var way []crawl.Address
	for {
		if slices.Contains(way, address) || len(way) > maxHops {
			return Outcome{Reason: ReasonRedirects, Detail: fmt.Sprintf("%d redirects from %s, the last one to %s", len(way), way[0], address)}
		}
		if len(way) > 0 {
			if *hops--; *hops < 0 {
				return Outcome{Reason: ReasonRedirects, Detail: fmt.Sprintf("more than %d redirects for it, the last one to %s", maxTargetHops, address)}
			}
		}
		way = append(way, address)
		k := a.known(address)
		failed := k.failure.Kind == Failed && k.failure.Pass >= k.answer.Pass && !(k.answer.Kind == Answered && k.answer.Pass == k.failure.Pass && k.answer.Offset > k.failure.Offset)
		lasting := k.failure.Run == ""
		settled := k.answer.Kind == Answered && k.answer.Pass == a.pass.Number || failed && k.failure.Pass == a.pass.Number && (lasting || k.failure.Run == a.run)
		if present && !settled {
			return Outcome{Next: address, Entry: k.answer}
		}
		switch {
		case failed && (lasting || k.answer.Kind != Answered):
			return Outcome{Reason: k.failure.Reason, Detail: k.failure.Detail + " (" + address.String() + ")"}
		case k.answer.Kind != Answered:
			return Outcome{Reason: ReasonNotFetched, Detail: "run crawl to fetch " + address.String()}
		case k.answer.To.Valid():
			address = k.answer.To
			continue
		case k.answer.Reason != "":
			return Outcome{Reason: k.answer.Reason, Detail: k.answer.Detail + " (" + address.String() + ")"}
		}
		return judge(w, k.answer)
	}
}

// judge says whether an answer is one.
func judge(w Target, e Entry) Outcome {
	refuse := func(reason, detail string) Outcome {
		return Outcome{Reason: reason, Detail: fmt.Sprintf("%s at %s", detail, e.URL)}
	}
	switch {
	case e.Status == http.StatusNotFound || e.Status == http.StatusGone:
		return refuse(ReasonNotFound, fmt.Sprintf("status %d", e.Status))
	case !e.OK():
		return refuse(ReasonStatus, fmt.Sprintf("status %d", e.Status))
	case e.Class == BodyEmpty && !w.Blank:
		return refuse(ReasonEmpty, "an answer without a body")
	case w.Form == FormText && (e.Class == BodyPage || e.Class == BodyInterstitial):
		return refuse(ReasonNotText, "an HTML page where a text was asked for")
	case w.Form == FormPage && e.Class == BodyInterstitial:
		return refuse(ReasonInterstitial, "a captcha, consent or login page")
	}
	return Outcome{Found: true, Entry: e}
}
