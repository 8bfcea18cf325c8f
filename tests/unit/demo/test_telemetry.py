import pytest

from spanjudge.demo.telemetry import telemetry
from spanjudge.errors import InputError


@pytest.mark.parametrize("url", ["localhost:4318", "ftp://localhost", "file:///etc/passwd", ""])
def test_what_is_no_http_url_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(InputError, match="is no http:// or https:// URL: give the base URL"):
        telemetry(url)


def test_providers_are_apart_from_the_global_ones_and_keep_their_spans() -> None:
    first, second = telemetry(), telemetry()
    assert first.tracers is not second.tracers
    assert first.spans() == ()
    assert first.tracers.resource.attributes["service.name"] == "spanjudge-demo"
    first.shutdown()
    second.shutdown()
