import type { SentPicture } from '../../../contracts/picture.ts'
import type { PixelPicture } from './pixel-picture.ts'

/** A picture of a page: as it came, for a model to see, and as pixels, to compare. */
export interface EvaluatedPicture {
  sent: SentPicture
  pixels: PixelPicture
}

/** What a script answered: its value as JSON has it, or that it threw. */
export type ScriptAnswer = { value: unknown } | { error: string }

/**
 * The browser at the end of an episode, as evaluation sees it. Whatever keeps it from answering, such as a site that is not reached,
 * is thrown: it is no score.
 */
export interface EvaluatedPage {
  url(): string
  /** Goes to an address and waits until its page is loaded. */
  open(address: string): Promise<void>
  /** The page as HTML. */
  content(): Promise<string>
  /** The value of an expression in the page, promises waited for. Its own failure is an answer. */
  run(expression: string): Promise<ScriptAnswer>
  /** The page as it is shown. */
  capture(): Promise<EvaluatedPicture>
  /** @throws Error where it cannot be fetched from the sites, or is no picture */
  picture(address: string): Promise<EvaluatedPicture>
  /** The address of a site, without a slash at its end. @throws EspalierError where it is not configured */
  site(name: string): string
  /** What the shop answers its administrator at a path below `/rest`, and whom the tasks play as there. */
  shop: {
    ask(path: string): Promise<unknown>
    customer(): string
  }
}
