import { EspalierError } from '../../core/contracts/errors.ts'
import type { PackFile, PackFormat, PackSource } from '../data-pack.ts'
import { pageFamilies } from './families.ts'
import { bundlePath, encodePageFile, type PageBundle, sharedBundle } from './page-bundle.ts'
import { readMiniwobTask } from './tasks.ts'

const shared = new RegExp(
  '^(?:core/(?:core\\.(?:js|css)|d3\\.v3\\.min\\.js|jquery-ui-hacks\\.js' +
    '|jquery-ui/(?:external/jquery/jquery\\.js|jquery-ui\\.min\\.(?:js|css)|images/.+))|common/[^/]+\\.js)$',
)

/**
 * The pages of MiniWoB++ from its PyPI package: the wheel, or its unpacked folder. Each page becomes one file with
 * its own resources, beside one with the shared resources. A host therefore receives little, and no page requests a
 * missing file.
 */
export const miniwobPackFormat: PackFormat = {
  description:
    'the wheel miniwob-1.1.0-py3-none-any.whl (pip download --no-deps miniwob==1.1.0), or a folder with its html/miniwob, html/core and html/common',
  data: { origin: 'original', about: 'the pages of MiniWoB++ 1.1.0' },
  downloads: [
    {
      name: 'miniwob-1.1.0-py3-none-any.whl',
      url: 'https://files.pythonhosted.org/packages/fc/a1/a34e0cc33dcba9de00001695979d2b9e3cc2de03bacdf010f045fb084afe/miniwob-1.1.0-py3-none-any.whl',
      sha256: '297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9',
    },
  ],
  isNeeded: true,
  collect,
  filesOf: (task) => {
    const known = readMiniwobTask(task)
    return known === null ? [] : [sharedBundle, bundlePath(known.page)]
  },
}

async function* collect(source: PackSource): AsyncGenerator<PackFile> {
  const anchor = source.files.find((path) => /(?:^|\/)core\/core\.js$/.test(path))
  if (anchor === undefined) throw missing('core/core.js')
  const root = anchor.slice(0, -'core/core.js'.length)
  const files = source.files.filter((path) => path.startsWith(root)).map((path) => path.slice(root.length))
  const known = new Set(files)
  const pages = pageFamilies.flatMap((family) => family.pages)
  const absent = pages.find((page) => !known.has(pagePath(page)))
  if (absent !== undefined) throw missing(pagePath(absent))

  yield bundle(sharedBundle, await pack(files.filter((path) => shared.test(path))))
  for (const page of pages) {
    const path = pagePath(page)
    const text = new TextDecoder().decode(await source.read(root + path))
    const own = files.filter((file) => !shared.test(file) && isNamed(file, text))
    yield bundle(bundlePath(page), await pack([path, ...own]))
  }

  async function pack(paths: readonly string[]): Promise<PageBundle> {
    const bodies = paths.map(
      async (path) => [path, encodePageFile(path, await source.read(root + path))] as const,
    )
    return Object.fromEntries(await Promise.all(bodies))
  }
}

function isNamed(file: string, text: string): boolean {
  const [, special] = /^(common\/special\/[^/]+\/)/.exec(file) ?? []
  return special === undefined ? file.startsWith('core/') && text.includes(file) : text.includes(special)
}

function pagePath(page: string): string {
  return `miniwob/${page}.html`
}

function bundle(path: string, files: PageBundle): PackFile {
  return { path, body: new TextEncoder().encode(JSON.stringify(files)) }
}

function missing(path: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    `There is no ${path} in it: it needs ${miniwobPackFormat.description}.`,
  )
}
