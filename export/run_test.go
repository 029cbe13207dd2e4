package export

import ("testing";"os";"context";"fmt";"strings")

func TestRunIt(t *testing.T) {
	if os.Getenv("XRUN")=="" { t.Skip() }
	o := Options{Formats: strings.Split(os.Getenv("XFMT"),",")}
	if os.Getenv("XNOTEXT") != "" { o.WithoutText = true }
	fmt.Println(Write(context.Background(), os.Getenv("XRUN"), os.Getenv("XTO"), o))
}
