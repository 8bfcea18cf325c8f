from __future__ import annotations

import pytest

from spanjudge import semconv
from spanjudge.promql import TRANSLATIONS, Translation, label, legend, metric, translate

ESCAPED: Translation = "UnderscoreEscapingWithSuffixes"
BARE: Translation = "UnderscoreEscapingWithoutSuffixes"
DOTTED: Translation = "NoUTF8EscapingWithSuffixes"
SAME: Translation = "NoTranslation"


@pytest.mark.parametrize(
    ("name", "translation", "expected"),
    [
        ("gen_ai.evaluation.score_bucket", ESCAPED, "gen_ai_evaluation_score_bucket"),
        ("gen_ai.evaluation.score_sum", BARE, "gen_ai_evaluation_score_sum"),
        ("gen_ai.evaluation.score_count", DOTTED, "gen_ai.evaluation.score_count"),
        ("gen_ai.evaluation.score_count", SAME, "gen_ai.evaluation.score_count"),
        ("spanjudge.judge.cost", ESCAPED, "spanjudge_judge_cost_total"),
        ("spanjudge.judge.cost", BARE, "spanjudge_judge_cost"),
        ("spanjudge.judge.cost", DOTTED, "spanjudge.judge.cost_total"),
        ("spanjudge.judge.cost", SAME, "spanjudge.judge.cost"),
        ("spanjudge.evaluation.lag_bucket", ESCAPED, "spanjudge_evaluation_lag_seconds_bucket"),
        ("spanjudge.evaluation.lag_bucket", BARE, "spanjudge_evaluation_lag_bucket"),
        ("spanjudge.evaluation.lag_bucket", DOTTED, "spanjudge.evaluation.lag_seconds_bucket"),
        ("spanjudge.last_score.time", ESCAPED, "spanjudge_last_score_time_seconds"),
        ("spanjudge.regression.evidence", ESCAPED, "spanjudge_regression_evidence"),
        ("spanjudge.regression.evidence", SAME, "spanjudge.regression.evidence"),
    ],
)
def test_metric_bears_the_name_of_the_translation(name: str, translation: Translation, expected: str) -> None:
    assert metric(name, translation) == expected


def test_metric_that_is_none_of_ours_is_refused() -> None:
    with pytest.raises(KeyError):
        metric("gen_ai.evaluation.scores", ESCAPED)


def test_every_metric_of_the_contract_can_be_named() -> None:
    names = [value for name, value in vars(semconv).items() if name.startswith("METRIC_")]
    assert len(names) > 10
    for name in names:
        for translation in TRANSLATIONS:
            assert metric(name, translation)


QUERY = 'sum by ("gen_ai.agent.name", le) (rate({"gen_ai.evaluation.score_bucket", "spanjudge.source"="live"}[1h]))'


def test_query_takes_the_names_of_the_translation() -> None:
    assert translate(QUERY, SAME) == QUERY
    assert translate(QUERY, ESCAPED) == (
        'sum by (gen_ai_agent_name, le) (rate(gen_ai_evaluation_score_bucket{spanjudge_source="live"}[1h]))'
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('{"spanjudge.runs"}', "spanjudge_runs_total"),
        ('{"spanjudge.runs", "spanjudge.decision"!~"a|b"}', 'spanjudge_runs_total{spanjudge_decision!~"a|b"}'),
        ('kept:by:rule{"spanjudge.moment"="w"} * 2', 'kept:by:rule{spanjudge_moment="w"} * 2'),
        ("kept:by:rule", "kept:by:rule"),
        (
            'a >= on ("gen_ai.agent.name") group_left ("service.version") b',
            "a >= on (gen_ai_agent_name) group_left (service_version) b",
        ),
    ],
)
def test_each_form_of_a_query_is_translated(query: str, expected: str) -> None:
    assert translate(query, ESCAPED) == expected


def test_values_of_labels_stay_as_they_are() -> None:
    query = '{"spanjudge.runs", "service.version"="1.2.3", "service.name"="by (a.b)"}'
    assert translate(query, ESCAPED) == 'spanjudge_runs_total{service_version="1.2.3", service_name="by (a.b)"}'


def test_query_for_a_metric_that_is_none_of_ours_is_refused() -> None:
    with pytest.raises(KeyError):
        translate('{"spanjudge.rnus"}', ESCAPED)


def test_legend_and_label_follow_the_translation() -> None:
    assert legend("{{gen_ai.agent.name}} by {{le}}", ESCAPED) == "{{gen_ai_agent_name}} by {{le}}"
    assert legend("{{gen_ai.agent.name}}", SAME) == "{{gen_ai.agent.name}}"
    assert label("service.version", BARE) == "service_version"
