package commonplace

import "errors"

// Reject is input that a stage refused: in = out + rejected.
// It is a row of the table rejects.
type Reject struct {
	Stage    string `parquet:"stage" json:"stage" doc:"stage that refused it"`
	ID       string `parquet:"id" json:"id" doc:"id of what was refused, empty when it has none"`
	Reason   string `parquet:"reason" json:"reason" doc:"short reason; the same cause always has the same words"`
	Detail   string `parquet:"detail" json:"detail" doc:"the exact error"`
	Location string `parquet:"location" json:"location" doc:"file, and line or entry where it has one"`
}

// RejectError is the error of a reader that refuses its input: the reject says why.
// Any other error is no fault of the input, and trying again may help.
type RejectError struct {
	Reject Reject
	Cause  error // of the system, such as an input/output error, where there is one
}

func (e *RejectError) Error() string { return e.Reject.Reason + ": " + e.Reject.Detail }

func (e *RejectError) Unwrap() error { return e.Cause }

// Refused parts an error of a reader: the reject that it is, or another error.
func Refused(err error) (*Reject, error) {
	if reject := RejectOf(err); reject != nil {
		return reject, nil
	}
	return nil, err
}

// RejectOf is the reject that an error is, nil where it is another one or none.
func RejectOf(err error) *Reject {
	var refused *RejectError
	if errors.As(err, &refused) {
		return &refused.Reject
	}
	return nil
}
