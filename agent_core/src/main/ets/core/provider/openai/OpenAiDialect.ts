/** Which call ids an API takes. Ids are changed on the wire only. */
export enum WireIdRule {
  /** Letters, digits and `_ . : -`, at most 64 characters; what else stands in an id is replaced. */
  lenient = 'lenient',
  /** Letters, digits, `_` and `-`, at most 40 characters. */
  strict = 'strict',
  /** Exactly nine letters and digits. */
  nine = 'nine'
}

/** When a message's reasoning is sent back to the model. */
export enum ReasoningReplay {
  never = 'never',
  /** Only with assistant messages that call tools: models that think between calls refuse the message without it. */
  withToolCalls = 'with_tool_calls',
  always = 'always'
}

/**
 * In what one provider's chat completions differ from another's. Reading is tolerant for all of them; a dialect decides what is sent.
 *
 * A dialect of an own provider is a literal with all members, or a changed copy of a known one (`OpenAiDialects.copyOf`).
 */
export interface OpenAiDialect {
  name: string;
  /** Header for the key; the value is `Bearer KEY` for `authorization`, otherwise the key itself. */
  keyHeader: string;
  /** `system`, or `developer` where a model refuses `system`. */
  systemRole: string;
  /** `max_tokens` or `max_completion_tokens`. */
  maxTokensName: string;
  /** Whether `stream_options.include_usage` is sent. */
  asksForUsage: boolean;
  idRule: WireIdRule;
  reasoningReplay: ReasoningReplay;
  /** The member that takes the reasoning of an assistant message. */
  reasoningName: string;
  /** Whether a message's `extras` are sent back as they came. */
  sendsExtras: boolean;
  /** Whether image parts go out as `image_url`; otherwise as a line of text. */
  takesImages: boolean;
  /** Whether audio parts with a `data:` reference go out as `input_audio`; otherwise as a line of text. */
  takesAudio: boolean;
  /** Whether an assistant message that only calls tools has `content: null`; otherwise `""`. */
  nullContent: boolean;
  /** Whether the API refuses a call in the history whose arguments are no JSON object; such a text goes out wrapped in an object. */
  needsObjectArguments: boolean;
}

/** The dialects that are known. Each call gives a new object, free to be changed. */
export class OpenAiDialects {
  /** For any server that speaks chat completions; the careful choice everywhere. */
  static generic(): OpenAiDialect {
    return {
      name: 'generic', keyHeader: 'authorization', systemRole: 'system', maxTokensName: 'max_tokens', asksForUsage: true,
      idRule: WireIdRule.lenient, reasoningReplay: ReasoningReplay.withToolCalls, reasoningName: 'reasoning_content',
      sendsExtras: true, takesImages: true, takesAudio: false, nullContent: true, needsObjectArguments: true
    };
  }

  static openAi(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('openai', WireIdRule.strict);
    dialect.maxTokensName = 'max_completion_tokens';
    dialect.reasoningReplay = ReasoningReplay.never;
    dialect.takesAudio = true;
    dialect.needsObjectArguments = false;
    return dialect;
  }

  static azure(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.openAi();
    dialect.name = 'azure';
    dialect.keyHeader = 'api-key';
    return dialect;
  }

  static deepSeek(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('deepseek', WireIdRule.lenient);
    dialect.takesImages = false;
    return dialect;
  }

  /** Moonshot Kimi: its ids look like `functions.name:0` and must stay so. */
  static kimi(): OpenAiDialect {
    return OpenAiDialects.named('kimi', WireIdRule.lenient);
  }

  /** Alibaba DashScope in compatible mode. */
  static qwen(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('qwen', WireIdRule.lenient);
    dialect.nullContent = false;
    return dialect;
  }

  static zhipu(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('zhipu', WireIdRule.lenient);
    dialect.nullContent = false;
    return dialect;
  }

  /** OpenRouter hands ids on to providers that refuse most punctuation, and wants `reasoning_details` back. */
  static openRouter(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('openrouter', WireIdRule.strict);
    dialect.reasoningName = 'reasoning';
    return dialect;
  }

  static groq(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('groq', WireIdRule.strict);
    dialect.maxTokensName = 'max_completion_tokens';
    dialect.reasoningName = 'reasoning';
    return dialect;
  }

  /** Mistral reports usage by itself and refuses `stream_options` and most ids. */
  static mistral(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('mistral', WireIdRule.nine);
    dialect.asksForUsage = false;
    dialect.reasoningReplay = ReasoningReplay.never;
    dialect.sendsExtras = false;
    dialect.nullContent = false;
    return dialect;
  }

  /** Gemini's compatible endpoint; thought signatures travel in the extras of a call. */
  static gemini(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('gemini', WireIdRule.strict);
    dialect.reasoningReplay = ReasoningReplay.never;
    return dialect;
  }

  /** Ollama, llama.cpp and other servers on the own machine. */
  static local(): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.named('local', WireIdRule.lenient);
    dialect.nullContent = false;
    return dialect;
  }

  /** The dialect of a known host, `generic` for the others. */
  static forBaseUrl(baseUrl: string): OpenAiDialect {
    const host: string = hostOf(baseUrl);
    if (host.endsWith('.azure.com')) {
      return OpenAiDialects.azure();
    }
    if (host.endsWith('api.openai.com')) {
      return OpenAiDialects.openAi();
    }
    return OpenAiDialects.forOtherHost(host);
  }

  static copyOf(dialect: OpenAiDialect): OpenAiDialect {
    return {
      name: dialect.name, keyHeader: dialect.keyHeader, systemRole: dialect.systemRole, maxTokensName: dialect.maxTokensName,
      asksForUsage: dialect.asksForUsage, idRule: dialect.idRule, reasoningReplay: dialect.reasoningReplay,
      reasoningName: dialect.reasoningName, sendsExtras: dialect.sendsExtras, takesImages: dialect.takesImages,
      takesAudio: dialect.takesAudio, nullContent: dialect.nullContent, needsObjectArguments: dialect.needsObjectArguments
    };
  }

  private static forOtherHost(host: string): OpenAiDialect {
    if (host.endsWith('deepseek.com')) {
      return OpenAiDialects.deepSeek();
    }
    if (host.includes('moonshot.') || host.endsWith('kimi.com')) {
      return OpenAiDialects.kimi();
    }
    if (host.endsWith('aliyuncs.com')) {
      return OpenAiDialects.qwen();
    }
    if (host.endsWith('bigmodel.cn') || host.endsWith('z.ai')) {
      return OpenAiDialects.zhipu();
    }
    if (host.endsWith('openrouter.ai')) {
      return OpenAiDialects.openRouter();
    }
    if (host.endsWith('groq.com')) {
      return OpenAiDialects.groq();
    }
    if (host.endsWith('mistral.ai')) {
      return OpenAiDialects.mistral();
    }
    if (host.endsWith('googleapis.com')) {
      return OpenAiDialects.gemini();
    }
    return host === 'localhost' || host === '127.0.0.1' ? OpenAiDialects.local() : OpenAiDialects.generic();
  }

  private static named(name: string, idRule: WireIdRule): OpenAiDialect {
    const dialect: OpenAiDialect = OpenAiDialects.generic();
    dialect.name = name;
    dialect.idRule = idRule;
    return dialect;
  }
}

/** The host of an address, in lower case, without user and port. */
function hostOf(url: string): string {
  const start: number = url.indexOf('://');
  const rest: string = start < 0 ? url : url.substring(start + 3);
  const authority: string = rest.split(/[/?#]/)[0];
  const at: number = authority.lastIndexOf('@');
  return authority.substring(at + 1).split(':')[0].toLowerCase();
}
