import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

export const bundleExtension = '.mjs'

export const rootBanner = 'const bundleRoot = import.meta.dirname'

/**
 * Lets modules in a bundle find the files beside them: `import.meta` names the module's path of the repository, below
 * the bundle's root, instead of the file that holds its code.
 */
export function keepPlaces(repository: string): Plugin {
  return {
    name: 'keep-places',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.') || path.includes('node_modules')) return null
        const own = bundledPath(relative(repository, path))
        const prologue = [
          "import { dirname as placeFolder } from 'node:path'",
          "import { pathToFileURL as placeAddress } from 'node:url'",
          `const placeFile = bundleRoot + ${JSON.stringify(`/${own}`)}`,
        ].join(';')
        const placed = text
          .replaceAll('import.meta.filename', 'placeFile')
          .replaceAll('import.meta.dirname', 'placeFolder(placeFile)')
          .replaceAll('import.meta.url', 'placeAddress(placeFile).href')
        return { contents: `${prologue};${placed}`, loader: 'ts' }
      })
    },
  }
}

export function bundledPath(source: string): string {
  return join(source.replace(/\.ts$/, bundleExtension))
}
