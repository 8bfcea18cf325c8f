"""What the judge does to the process that it lives in: import, network, standard error, fork and exit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest

from spanjudge.testing.model_server import Hang, ModelServer, Status

HEAD = """
import asyncio, json, os, sys, threading, time
from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.judge.litellm import LiteLLMJudge

ASK = Ask(task="explain", instructions="Say why.")
judge = LiteLLMJudge("openai/m", api_base=sys.argv[1], api_key="k", max_attempts=1)

def ask_in_background(one):
    def work():
        try:
            asyncio.run(one.ask(ASK))
        except JudgeError:
            pass
    threading.Thread(target=work, daemon=True).start()
"""


def run(program: str, url: str, **environment: str) -> Any:
    """Run a program that prints one JSON value, and nothing on standard error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM")}
    done = subprocess.run(
        [sys.executable, "-c", HEAD + textwrap.dedent(program), url],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def watched() -> dict[str, Any]:
    """Watch one process while judges succeed and fail in it."""
    pytest.importorskip("uvloop")
    with ModelServer(["Because.", Status(404), "On another loop."]) as server:
        found: dict[str, Any] = run(
            """
            import socket, uvloop
            found = {"looked up": [], "importers": [], "codes": [], "early": "litellm" in sys.modules}

            real = socket.getaddrinfo
            def note(host, *rest, **more):
                found["looked up"].append(str(host))
                return real(host, *rest, **more)
            socket.getaddrinfo = note

            class Watch:
                def find_spec(self, name, path=None, target=None):
                    if name == "litellm":
                        found["importers"].append(threading.current_thread().name)
            sys.meta_path.insert(0, Watch())

            def code(one):
                try:
                    asyncio.run(one.ask(ASK))
                except JudgeError as error:
                    found["codes"].append(error.code)

            environment = dict(os.environ)
            found["reply"] = asyncio.run(judge.ask(ASK)).value
            found["same environment"] = dict(os.environ) == environment
            code(judge)
            code(LiteLLMJudge("nonsense"))
            code(LiteLLMJudge("claude-sonnet-4-5"))
            code(LiteLLMJudge("openai/m", api_key="k", api_base="http://127.0.0.1:9/v1", max_attempts=1))
            loop = uvloop.new_event_loop()
            found["uvloop"] = loop.run_until_complete(judge.ask(ASK)).value
            loop.close()
            print(json.dumps(found))
            """,
            server.url,
            ANTHROPIC_API_KEY="",
        )
    return found


def test_importing_the_judge_does_not_import_litellm_and_asking_does_on_its_thread(watched: dict[str, Any]) -> None:
    assert watched["early"] is False
    assert watched["reply"] == "Because."
    assert watched["importers"] == ["spanjudge-judge"]


def test_no_name_is_looked_up_but_the_models_own(watched: dict[str, Any]) -> None:
    assert set(watched["looked up"]) <= {"127.0.0.1"}


def test_the_environment_is_as_before(watched: dict[str, Any]) -> None:
    assert watched["same environment"] is True


def test_failures_of_all_kinds_print_nothing(watched: dict[str, Any]) -> None:
    assert watched["codes"] == ["judge_bad_request", "judge_bad_request", "judge_auth", "judge_unavailable"]


def test_an_event_loop_of_another_make_may_ask(watched: dict[str, Any]) -> None:
    assert watched["uvloop"] == "On another loop."


def test_calls_and_name_look_ups_that_hang_hold_up_no_exit() -> None:
    with ModelServer(lambda _: Hang()) as server:
        told = run(
            """
            import socket
            looking, real = threading.Event(), socket.getaddrinfo
            def hang(host, *rest, **more):
                if "nowhere" not in str(host):
                    return real(host, *rest, **more)
                looking.set()
                time.sleep(60)
            socket.getaddrinfo = hang
            ask_in_background(judge)
            ask_in_background(LiteLLMJudge("hosted_vllm/m", api_base="http://nowhere.invalid/v1", api_key="k"))
            looking.wait()
            time.sleep(0.2)
            print(json.dumps(time.time()))
            """,
            server.url,
        )
        assert time.time() - told < 40
        assert len(server.requests) == 1


def test_an_exit_in_the_middle_of_the_import_is_quick_and_prints_nothing() -> None:
    with ModelServer() as server:
        told = run(
            """
            ask_in_background(judge)
            while "litellm" not in sys.modules:
                time.sleep(0.001)
            print(json.dumps(time.time()))
            """,
            server.url,
        )
        assert time.time() - told < 40
        assert server.requests == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_asks_on_a_loop_and_connections_of_its_own() -> None:
    with ModelServer(text="Because.") as server:
        told = run(
            """
            import warnings
            warnings.simplefilter("ignore", DeprecationWarning)  # fork with threads is the point
            asyncio.run(judge.ask(ASK))
            child = os.fork()
            if child == 0:
                ok = not judge.loop.running and asyncio.run(judge.ask(ASK)).value == "Because."
                os._exit(0 if ok else 1)
            _, status = os.waitpid(child, 0)
            print(json.dumps([status, asyncio.run(judge.ask(ASK)).value]))
            """,
            server.url,
        )
        assert told == [0, "Because."]
        assert len(server.requests) == 3
        assert server.connections == 2


def test_the_applications_own_litellm_logging_goes_on_undisturbed() -> None:
    with ModelServer(lambda body: Status(404) if body["model"] == "lost" else "Because.") as server:
        told = run(
            """
            import litellm
            from litellm.integrations.custom_logger import CustomLogger
            seen = []
            class Logger(CustomLogger):
                async def async_log_success_event(self, kwargs, **rest):
                    seen.append([kwargs["model"], asyncio.get_running_loop() is home])
                async def async_log_failure_event(self, kwargs, **rest):
                    seen.append([kwargs["model"], "failed"])
            litellm.callbacks = [Logger()]
            litellm.num_retries = 7
            async def main():
                global home
                home = asyncio.get_running_loop()
                for _ in range(10):
                    messages = [{"role": "user", "content": "x"}]
                    own = litellm.acompletion(model="openai/own", messages=messages, api_base=sys.argv[1], api_key="k")
                    await asyncio.gather(own, judge.ask(ASK), judge.ask(ASK))
                try:
                    await LiteLLMJudge("openai/lost", api_base=sys.argv[1], api_key="k").ask(ASK)
                except JudgeError:
                    seen.append("lost")
                while len(seen) < 11:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.1)
            asyncio.run(main())
            print(json.dumps([sorted(seen, key=str), litellm.num_retries]))
            """,
            server.url,
            LITELLM_LOCAL_MODEL_COST_MAP="True",
        )
    assert told == [[["own", True]] * 10 + ["lost"], 7]
