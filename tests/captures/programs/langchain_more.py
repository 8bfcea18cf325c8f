"""Chains and graphs of other builds: classic chains, state graphs, several searches, agents below agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypedDict

from langchain_classic.chains import ConversationalRetrievalChain, RetrievalQA
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_parts import PROMPT, Knowledge, agent, ask, chat_model, joined, search_tool, tool
from langgraph.graph import END, START, StateGraph
from model import Call, Plan
from profiles import ARABIC, CHINESE, CODE, ENGLISH, EQUAL, GERMAN, JAPANESE, JSON_TEXTS, KOREAN, NUMBERS, SHORT
from shapes import SHAPES, contexts, told
from stage import Stage
from tools import found

Config = Callable[[], dict[str, Any]]


class State(TypedDict, total=False):
    """What the nodes of the graph hand on."""

    question: str
    attempts: int
    documents: list[Document]
    generation: str


class More:
    """The situations, for an instrumentation whose retriever spans carry texts and ids."""

    def __init__(self, stage: Stage, framework: str, config: Config, finish: Callable[[], Any]) -> None:
        self.stage, self.framework, self.config, self.finish = stage, framework, config, finish

    def run(self) -> None:
        self.classic()
        self.with_sources()
        self.state_graph()
        self.hops()
        self.below()
        self.parts()

    def classic(self) -> None:
        note = "classic chains: input `query`, output `result`; then input `question` with history, output `answer`"
        with self.stage.capture(f"{self.framework}_classic_chains", "retriever", note) as capture:
            for profile in (ENGLISH, CODE):
                self.stage.plan(profile)
                chain = RetrievalQA.from_chain_type(
                    chat_model(self.stage.model), retriever=Knowledge(), return_source_documents=True
                )
                chain.invoke({"query": profile.question}, self.config())
                self.finish()
                capture.run(profile, "RetrievalQA", contexts(profile.documents, scores=False))
            for profile in (KOREAN, GERMAN):
                self.stage.plan(profile)
                self.stage.model.tell(Plan(profile.follow_up_search, profile.follow_up_answer))
                self.stage.model.say(f"Follow Up Input: {profile.follow_up}", profile.follow_up_search)
                conversation = ConversationalRetrievalChain.from_llm(
                    chat_model(self.stage.model), retriever=Knowledge(), return_source_documents=True
                )
                history = [(profile.question, profile.answer)]
                conversation.invoke({"question": profile.follow_up, "chat_history": history}, self.config())
                self.finish()
                capture.run(
                    profile,
                    "ConversationalRetrievalChain",
                    contexts(profile.documents, scores=False),
                    query=profile.follow_up,
                    answer=profile.follow_up_answer,
                )

    def with_sources(self) -> None:
        note = "input is an object with more than the question, output an object with documents, question and answer"
        with self.stage.capture(f"{self.framework}_with_sources", "retriever", note) as capture:
            for profile in (ARABIC, JSON_TEXTS, SHORT):
                self.stage.plan(profile)
                answer = (
                    RunnablePassthrough.assign(context=lambda given: joined(given["documents"]))
                    | PROMPT
                    | chat_model(self.stage.model)
                    | StrOutputParser()
                )
                chain = RunnablePassthrough.assign(
                    documents=(lambda given: given["question"]) | Knowledge()
                ) | RunnablePassthrough.assign(answer=answer)
                given = {"tenant": "acme", "language": "any", "question": profile.question, "limit": 4}
                chain.invoke(given, self.config())
                self.finish()
                capture.run(profile, "RunnableSequence", contexts(profile.documents, scores=False))

    def state_graph(self) -> None:
        note = "a graph of nodes: the model grades each document in a call of its own, then answers"
        with self.stage.capture(f"{self.framework}_state_graph", "retriever", note) as capture:
            for profile in (CHINESE, NUMBERS):
                self.stage.plan(profile)
                self.stage.model.say("Is this document relevant?", "yes")
                self.graph().invoke({"question": profile.question, "attempts": 0}, self.config())
                self.finish()
                capture.run(profile, "LangGraph", contexts(profile.documents, scores=False))

    def graph(self) -> Any:
        llm = chat_model(self.stage.model)
        grader = ChatPromptTemplate.from_template("Is this document relevant?\n{document}\nQuestion: {question}") | llm

        def retrieve(state: State) -> State:
            return {"documents": Knowledge().invoke(state["question"])}

        def grade(state: State) -> State:
            kept = [
                document
                for document in state["documents"]
                if grader.invoke({"document": document.page_content, "question": state["question"]}).content == "yes"
            ]
            return {"documents": kept, "attempts": state["attempts"] + 1}

        def generate(state: State) -> State:
            given = {"context": joined(state["documents"]), "question": state["question"]}
            return {"generation": (PROMPT | llm | StrOutputParser()).invoke(given)}

        whole = StateGraph(State)
        for node in (retrieve, grade, generate):
            whole.add_node(node.__name__, node)
        whole.add_edge(START, "retrieve")
        whole.add_edge("retrieve", "grade")
        whole.add_edge("grade", "generate")
        whole.add_edge("generate", END)
        return whole.compile()

    def hops(self) -> None:
        note = "three searches one after the other; later ones find documents again, which keep their first rank"
        shape = SHAPES["total"]
        with self.stage.capture(f"{self.framework}_three_hops", "tool results", note) as capture:
            for profile in (EQUAL,):
                docs = profile.documents
                parts = {"first": docs[:2], "second": tuple(reversed(docs[1:3])), "third": (*docs[3:4], docs[0])}
                self.stage.plan(profile, *((Call("search_kb", {"query": query}),) for query in parts))

                def search(query: str, parts: Any = parts) -> str:
                    return json.dumps(shape(parts[query]), ensure_ascii=False)

                searching = tool(search, "search_kb", "Search.", args_schema=_QUERY)
                agent(self.stage.model, searching, name="support").invoke(ask(profile.question), self.config())
                self.finish()
                capture.run(profile, "support", told(docs[:4], shape))

    def below(self) -> None:
        note = "an agent as the tool of another: one run with the outer agent's answer; the inner answer is no context"
        shape = SHAPES["results"]
        with self.stage.capture(f"{self.framework}_agent_below_agent", "tool result", note) as capture:
            for profile in (JAPANESE,):
                self.stage.plan(profile, (Call("ask_researcher", {"task": f"Find out: {profile.search}"}),))
                inner = "The researcher has found what was asked for."
                self.stage.model.tell(
                    Plan(
                        f"Find out: {profile.search}",
                        inner,
                        ((Call("search_kb", {"query": profile.search}),),),
                    )
                )

                def ask_researcher(task: str) -> str:
                    researcher = agent(self.stage.model, search_tool(shape), name="researcher")
                    return str(researcher.invoke(ask(task))["messages"][-1].content)

                manager = agent(
                    self.stage.model, tool(ask_researcher, "ask_researcher", "Ask the researcher."), name="manager"
                )
                manager.invoke(ask(profile.question), self.config())
                self.finish()
                capture.run(profile, "manager", told(profile.documents, shape))

    def parts(self) -> None:
        note = "the user's message is a list of parts, text and picture"
        shape = SHAPES["chunks"]
        picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
        with self.stage.capture(f"{self.framework}_message_parts", "tool result", note) as capture:
            for profile in (GERMAN, KOREAN):
                self.stage.search(profile)
                message = {"role": "user", "content": [{"type": "text", "text": profile.question}, picture]}
                agent(self.stage.model, search_tool(shape), name="support").invoke(
                    {"messages": [message]}, self.config()
                )
                self.finish()
                capture.run(profile, "support", told(found(profile.search), shape))


_QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
