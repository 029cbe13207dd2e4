// Package eval says how good a ranking is. Every metric is a plain function over
// one document (or one query); figures of a run are means of those over the
// documents, as the papers do it, with an interval and a test beside them:
//
//	e := eval.New([]eval.System{{Name: "model"}, {Name: "length"}}, eval.Options{})
//	for every document { err = e.Add(doc) }
//	fmt.Print(e.Result().Text())
//
// # Ties
//
// A model may give many passages one score. No metric here lets the order of
// the rows decide then: each is the mean over all orders of the tied passages,
// computed exactly (McSherry and Najork 2008, "Computing information retrieval
// performance measures efficiently in the presence of tied scores"). So a system
// that says nothing ([Constant]) has exactly the figures that random orders have
// on average.
//
// # What is undefined
//
// A metric that has no value, such as the correlation with counts that are all
// equal, is NaN; [New] leaves it out of the mean and says over how many
// documents the mean is.
//
// # Two NDCGs
//
// [QuotabilityNDCG] is the form of "Content-based models of quotation", section
// 7.1, which does not discount the second rank. [NDCG] is the common one. They
// give different numbers and have different names everywhere.
package eval
