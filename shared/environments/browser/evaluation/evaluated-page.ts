import type { SentPicture } from '../../../core/contracts/picture.ts'
import type { PixelPicture } from './pixel-picture.ts'

export interface EvaluatedPicture {
  sent: SentPicture
  pixels: PixelPicture
}

export type ScriptAnswer = { value: unknown } | { error: string }

/**
 * The browser at the end of an episode, for evaluation. A failure to answer, such as an unreachable site, throws: it
 * is no score.
 */
export interface EvaluatedPage {
  url(): string
  open(address: string): Promise<void>
  content(): Promise<string>
  /** The value of an expression in the page, with promises awaited. A failing expression is a valid answer. */
  run(expression: string): Promise<ScriptAnswer>
  capture(): Promise<EvaluatedPicture>
  /** @throws Error if it cannot be fetched from the sites, or is no picture */
  picture(address: string): Promise<EvaluatedPicture>
  site(name: string): string
  shop: {
    ask(path: string): Promise<unknown>
    customer(): string
  }
}
