import type { CallFailure } from './call-failure.ts'
import type { ChatChoice, ChatRequest, SilentChoices } from './chat-model.ts'
import type { Later } from './later.ts'
import type { CountedTokens } from './read-token-counts.ts'
import type { StreamEvents } from './streams/read-stream-events.ts'

export interface WireCall {
  /** Below the endpoint's base URL, or beside its `/v1` for the APIs that servers have outside of OpenAI's. */
  path: string
  isBesideV1?: true
  /** Azure names it in the address too. */
  model: string
  streams?: true
  body: object
}

/** A body that holds no answer; `transient` if a retry may help. */
export interface DecodingFault {
  wrong: string
  transient?: boolean
  advice?: string
}

/** Writes requests and reads answers as one kind of endpoint does. The pipeline knows no kind. */
export interface Codec<Request, Answer> {
  encode(request: Request): Later<WireCall>
  decode(body: unknown, request: Request): Answer | DecodingFault
  /** Joins a stream to the body of the same answer. Without it, a stream is a fault. */
  assemble?(events: StreamEvents): { body: unknown } | DecodingFault
  /** Learns from a refusal. True if {@link encode} now writes the request as the endpoint wants it. */
  adapts?(failure: CallFailure, request: Request): boolean
  advise?(failure: CallFailure, request: Request): string | null
}

export type ChatWireRequest = ChatRequest & { n: number }

export interface Completion {
  choices: ChatChoice[]
  silent: SilentChoices
  usage: CountedTokens
  prompt?: string
}

export interface ChatCodec extends Codec<ChatWireRequest, Completion> {
  /** The free call that tokenizes a {@link Completion.prompt}. @default prompts need none */
  tokenize?(model: string, prompt: string): WireCall
}
