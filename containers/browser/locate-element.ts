import type { FrameLocator, Locator, Page } from 'playwright-core'
import {
  ActionParsingError,
  type PlaywrightCall,
} from '../../shared/environments/browser/actions/browser-action.ts'

type Place = Page | Locator | FrameLocator
type Role = Parameters<Page['getByRole']>[0]

/**
 * Resolves a chain of Playwright calls to an element. The chain is parsed, and only these calls are supported.
 * @throws ActionParsingError if a call lacks its argument, or the chain ends in a frame.
 */
export function locateElement(page: Page, calls: readonly PlaywrightCall[]): Locator {
  let place: Place = page
  for (const call of calls) place = locateNext(place, call)
  if ('count' in place) return place
  throw new ActionParsingError(`${calls.map(({ name }) => name).join('.')} names no element`)
}

function locateNext(place: Place, call: PlaywrightCall): Locator | FrameLocator {
  const argument = () => textArgument(call)
  const exact = call.keywords.exact === true
  switch (call.name) {
    case 'get_by_role': {
      const { name } = call.keywords
      return place.getByRole(argument() as Role, { exact, ...(typeof name === 'string' ? { name } : {}) })
    }
    case 'get_by_text':
      return place.getByText(argument(), { exact })
    case 'get_by_label':
      return place.getByLabel(argument(), { exact })
    case 'get_by_placeholder':
      return place.getByPlaceholder(argument(), { exact })
    case 'get_by_alt_text':
      return place.getByAltText(argument(), { exact })
    case 'get_by_title':
      return place.getByTitle(argument(), { exact })
    case 'get_by_test_id':
      return place.getByTestId(argument())
    case 'locator':
      return place.locator(argument())
    case 'frame_locator':
      return place.frameLocator(argument())
    case 'filter': {
      const { has_text: hasText } = call.keywords
      if ('filter' in place && typeof hasText === 'string') return place.filter({ hasText })
      throw new ActionParsingError('filter takes has_text="…", after an element')
    }
    default:
      throw new ActionParsingError(`Unknown playwright locator ${call.name}`)
  }
}

function textArgument(call: PlaywrightCall): string {
  const [value] = call.positional
  if (typeof value === 'string') return value
  throw new ActionParsingError(`${call.name} takes a text`)
}
