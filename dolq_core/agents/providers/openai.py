"""Any server that speaks OpenAI's chat.completions. The only file that imports `openai`."""

import json
from typing import Any, cast

import httpx2
import openai
from openai.types.chat import ChatCompletion

from dolq_core.agents.providers.guarded import guarded, no_reply
from dolq_core.agents.providers.statuses import failure
from dolq_core.agents.providers.wire import Wire
from dolq_core.errors import ChatError
from dolq_core.ports import Ask, ChatReply, ChatRequest, Tool, told
from dolq_core.records import ModelChoice


class OpenAIModel:
    """One model of one server; one request is one attempt, without retries of the SDK."""

    def __init__(self, choice: ModelChoice, key: str, server: str, *, is_openai: bool = False) -> None:
        """is_openai: whether the server is OpenAI's own, which alone gets what the SDK adds from the environment."""
        self.choice = choice
        self.server = server
        self._key = key
        self._is_openai = is_openai
        self._limit = "max_completion_tokens" if is_openai else "max_tokens"
        self._temperature = True

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the reply; raise ChatError."""
        thing = f"The model {self.choice.model!r} at {self.server}"
        return guarded(
            request, self._key, thing, lambda wire: self._reply(request, thing, wire), is_own=self._is_openai
        )

    def _reply(self, request: ChatRequest, thing: str, wire: Wire) -> ChatReply:
        try:
            with openai.OpenAI(
                api_key=self._key or "none",
                base_url=self.server,
                max_retries=0,
                timeout=request.deadline_s,
                http_client=wire,
            ) as client:
                answer = cast(Any, client.chat.completions.create(**self._arguments(request)))
        except openai.APIStatusError as error:
            raise self._status(error, request, thing) from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            raise _connection(error, thing) from None
        except json.JSONDecodeError:
            raise no_reply(thing, "it is broken JSON") from None
        return _read(answer, request, thing)

    def _arguments(self, request: ChatRequest) -> dict[str, Any]:
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}]
        asked: dict[str, Any] = {
            "model": self.choice.model,
            "messages": messages,
            self._limit: request.max_tokens,
        }
        if self._temperature:
            asked["temperature"] = request.temperature
        if request.form == "json_schema":
            schema = {"name": request.name, "strict": True, "schema": dict(request.schema)}
            asked["response_format"] = {"type": "json_schema", "json_schema": schema}
            if self.choice.provider == "openrouter":
                asked["extra_body"] = {"provider": {"require_parameters": True}}
        if request.form == "tools":
            asked["tools"] = [_function(tool) for tool in request.functions]
        if request.form == "json_object":
            asked["response_format"] = {"type": "json_object"}
        return asked

    def _status(self, error: openai.APIStatusError, request: ChatRequest, thing: str) -> ChatError:
        """Return the failure; a parameter that this model does not know is left out from now on."""
        message = str(error.message)
        if error.status_code == 400 and self._learns(f"{error.param or ''} {message}"):
            return ChatError("parameter", thing, f"status 400, {message[:200]!r}", "It is asked again without it.")
        return failure(error.status_code, message, thing, request.form, error.response.headers, error.code or "")

    def _learns(self, said: str) -> bool:
        if "temperature" in said and self._temperature:
            self._temperature = False
            return True
        if "max_completion_tokens" in said and self._limit == "max_tokens":
            self._limit = "max_completion_tokens"
            return True
        return False


def _read(answer: Any, request: ChatRequest, thing: str) -> ChatReply:
    if not isinstance(answer, ChatCompletion):
        raise no_reply(thing, "it is not the JSON of a completion")
    if not answer.choices:
        said = (answer.model_extra or {}).get("error")
        if isinstance(said, dict):
            error = cast(dict[str, Any], said)
            status = error.get("code")
            raise failure(
                status if isinstance(status, int) else 500, str(error.get("message", "")), thing, request.form
            )
        raise no_reply(thing, "it holds no choice")
    choice, usage = answer.choices[0], answer.usage
    details = usage.completion_tokens_details if usage else None
    called = [call.function for call in choice.message.tool_calls or () if call.type == "function"]
    said = choice.message.content or choice.message.refusal or ""
    text, asks = told(said, [Ask(one.name, one.arguments) for one in called])
    return ChatReply(
        text=text,
        model=answer.model or "",
        finish="refusal" if choice.message.refusal else (choice.finish_reason or ""),
        tokens_in=(usage.prompt_tokens or 0) if usage else 0,
        tokens_out=(usage.completion_tokens or 0) if usage else 0,
        tokens_reasoning=(details.reasoning_tokens or 0) if details else 0,
        asks=asks,
    )


def _function(tool: Tool) -> dict[str, Any]:
    called = {"name": tool.name, "description": tool.does, "parameters": dict(tool.arguments)}
    return {"type": "function", "function": called}


def _connection(error: Exception, thing: str) -> ChatError:
    if isinstance(error.__cause__, ChatError):  # of the wire: the SDK wraps whatever happens there
        return error.__cause__
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return ChatError("timeout", thing, "no reply in time", "Try again, or choose a faster model.")
    cause = str(error.__cause__ or error) or type(error).__name__
    way_out = "Check the address, and whether the server runs and the network is there."
    return ChatError("connection", thing, f"no connection, or one that was cut ({cause})", way_out)
