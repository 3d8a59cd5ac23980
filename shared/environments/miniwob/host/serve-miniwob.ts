import { z } from 'zod'
import type { BrowserKeeper } from '../../../../containers/browser/browser-keeper.ts'
import type { ServedEnvironment } from '../../../../containers/env-host/session-backend.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { parseEnvironmentOptions } from '../../environment-options.ts'
import { miniwob, miniwobDefinition, miniwobOptions } from '../definition.ts'
import { type PageBundle, pageBundleSchema } from '../page-bundle.ts'
import { pageSeed, readMiniwobTask } from '../tasks.ts'
import { MiniwobBackend } from './miniwob-backend.ts'

export function serveMiniwob(keeper: BrowserKeeper): ServedEnvironment {
  return {
    id: miniwob.id,
    facts: async () => miniwob,
    async open({ task, seed, files = {}, options }) {
      const known = readMiniwobTask(task)
      if (known === null) {
        throw new EspalierError(
          'unknown_task',
          `miniwob has no task "${task}". Its tasks are such as click-test/0.`,
          {
            param: 'task',
          },
        )
      }
      return new MiniwobBackend(keeper, {
        page: known.page,
        seed: pageSeed(known.problem, seed),
        files: unpackBundles(files),
        options: miniwobOptions.parse(parseEnvironmentOptions(miniwobDefinition, options)),
      })
    },
    stop: () => keeper.stop(),
  }
}

function unpackBundles(files: Readonly<Record<string, string>>): PageBundle {
  const bundles = Object.entries(files).map(([path, text]) => readBundle(path, text))
  if (bundles.length > 0) return Object.assign({}, ...bundles)
  throw new EspalierError(
    'invalid_request',
    'The request brings no pages. Add them once with `espalier data fetch miniwob`, and send those of the task in files.',
    { param: 'files' },
  )
}

function readBundle(path: string, text: string): PageBundle {
  try {
    return pageBundleSchema.parse(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    throw new EspalierError('invalid_request', `files["${path}"] is no file of a data pack of miniwob.`, {
      param: 'files',
      cause: error,
    })
  }
}
