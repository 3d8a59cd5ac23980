import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder, fillCacheFolder } from '../../shared/core/programs/cache-folder.ts'
import { miniwobPackFormat } from '../../shared/environments/miniwob/pack-format.ts'

/** The wheel with the pages of MiniWoB++, from PyPI when it is first needed; kept in the cache folder. */
export async function miniwobWheel(): Promise<string> {
  const [download] = miniwobPackFormat.downloads
  if (download === undefined || download.sha256 === null)
    throw new Error('miniwob names no checked download.')
  const { name, url, sha256 } = download
  const folder = await fillCacheFolder(
    join(cacheFolder(), 'miniwob', sha256.slice(0, 16)),
    async (making) => {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${url} was answered with ${response.status}.`)
      const body = Buffer.from(await response.arrayBuffer())
      const digest = createHash('sha256').update(body).digest('hex')
      if (digest !== sha256) throw new Error(`${url} has the digest ${digest}, not ${sha256}.`)
      await writeFile(join(making, name), body)
    },
  )
  return join(folder, name)
}

/** Adds the pages to a data folder, as a user does. */
export async function addMiniwob(folder: string): Promise<void> {
  const espalier = resolve(import.meta.dirname, '../../cli/espalier.ts')
  const words = ['data', 'add', 'miniwob', await miniwobWheel(), '--folder', folder]
  await promisify(execFile)(process.execPath, [espalier, ...words])
}

/** One problem of each of 40 pages, of every split: fields, boxes, lists, tabs, menus, searches. */
export const playedTasks: readonly string[] = [
  ...['click-checkboxes', 'click-checkboxes-large', 'click-checkboxes-transfer', 'click-collapsible'],
  ...['click-collapsible-2', 'click-tab', 'click-tab-2', 'click-tab-2-hard', 'click-test', 'click-test-2'],
  ...['unicode-test', 'enter-text', 'enter-text-2', 'enter-text-dynamic', 'login-user', 'login-user-popup'],
  ...[
    'enter-password',
    'email-inbox-delete',
    'email-inbox-reply',
    'choose-date-easy',
    'enter-date',
    'enter-time',
  ],
  ...[
    'form-sequence-2',
    'multi-layouts',
    'copy-paste',
    'click-widget',
    'click-link',
    'click-menu',
    'find-word',
  ],
  ...['use-autocomplete', 'button-delay', 'click-button', 'click-dialog-2', 'focus-text-2', 'choose-list'],
  ...['click-option', 'read-table', 'simple-algebra', 'search-engine', 'terminal'],
].map((page, at) => `${page}/${at % 5}`)
