"""Gemini. The only file that imports `google.genai`."""

import json
import logging
from typing import Any, cast

import httpx2
from google import genai
from google.genai import errors, types

from dolq_core.agents.providers.guarded import guarded
from dolq_core.agents.providers.statuses import failure
from dolq_core.agents.providers.wire import Wire
from dolq_core.errors import ChatError
from dolq_core.ports import Ask, ChatReply, ChatRequest, Tool, told
from dolq_core.records import ModelChoice

logging.getLogger("google_genai").setLevel(logging.ERROR)  # it warns of parts that are no text, which we look at


class GeminiModel:
    """One model of Gemini; one request is one attempt, without retries of the SDK."""

    def __init__(self, choice: ModelChoice, key: str) -> None:
        self.choice = choice
        self.server = choice.base_url or "Google's own address"
        self._key = key

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the reply; raise ChatError."""
        thing = f"The model {self.choice.model!r} of Gemini"
        own = not self.choice.base_url
        return guarded(request, self._key, thing, lambda wire: self._reply(request, thing, wire), is_own=own)

    def _reply(self, request: ChatRequest, thing: str, wire: Wire) -> ChatReply:
        milliseconds = int(1000 * request.deadline_s)
        options = types.HttpOptions(base_url=self.choice.base_url or None, timeout=milliseconds, httpx_client=wire)
        # without a key of ours the SDK would take that of the environment, for any address
        client = genai.Client(api_key=self._key or "none", vertexai=False, http_options=options)
        try:
            answer = client.models.generate_content(
                model=self.choice.model, contents=request.prompt, config=_config(request)
            )
        except errors.APIError as error:
            response = cast(Any, error.response)  # pyright: ignore[reportUnknownMemberType]
            headers = getattr(response, "headers", None)
            raise failure(error.code, error.message or "", thing, request.form, headers, error.status or "") from None
        except httpx2.TimeoutException:
            raise ChatError("timeout", thing, "no reply in time", "Try again, or choose a faster model.") from None
        except httpx2.HTTPError as error:
            reason = f"no connection, or one that was cut ({error or type(error).__name__})"
            raise ChatError("connection", thing, reason, "Check the address and the network.") from None
        except (json.JSONDecodeError, errors.UnknownApiResponseError):
            raise ChatError("reply", thing, "what came back is no reply", "Check the address.") from None
        finally:
            client.close()
        return _read(answer)


def _config(request: ChatRequest) -> types.GenerateContentConfig:
    shaped: dict[str, Any] = {}
    if request.form == "tools":
        shaped["tools"] = [types.Tool(function_declarations=[_function(tool) for tool in request.functions])]
        shaped["automatic_function_calling"] = types.AutomaticFunctionCallingConfig(disable=True)
    if request.form in ("json_schema", "json_object"):
        shaped["response_mime_type"] = "application/json"
    if request.form == "json_schema":
        shaped["response_json_schema"] = dict(request.schema)
    return types.GenerateContentConfig(
        system_instruction=request.system,
        temperature=request.temperature,
        max_output_tokens=request.max_tokens,
        **shaped,
    )


def _read(answer: types.GenerateContentResponse) -> ChatReply:
    """Nothing raises when a model stops early or is blocked: the text is empty, and `finish` says why."""
    candidate = answer.candidates[0] if answer.candidates else None
    parts = candidate.content.parts if candidate is not None and candidate.content is not None else None
    said = "".join(part.text for part in parts or () if part.text and not part.thought)
    called = [part.function_call for part in parts or () if part.function_call]
    text, asks = told(said, [Ask(one.name or "", json.dumps(one.args or {})) for one in called])
    blocked = answer.prompt_feedback.block_reason if answer.prompt_feedback else None
    finish = candidate.finish_reason if candidate is not None else blocked
    usage = answer.usage_metadata
    thought = (usage.thoughts_token_count or 0) if usage else 0
    return ChatReply(
        text=text,
        model=answer.model_version or "",
        finish=finish.value.lower() if finish is not None else "",
        tokens_in=(usage.prompt_token_count or 0) if usage else 0,
        tokens_out=(usage.candidates_token_count or 0) + thought if usage else 0,
        tokens_reasoning=thought,
        asks=asks,
    )


def _function(tool: Tool) -> types.FunctionDeclaration:
    arguments = dict(tool.arguments)
    return types.FunctionDeclaration(name=tool.name, description=tool.does, parameters_json_schema=arguments)
