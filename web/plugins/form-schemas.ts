import { type Plugin, runnerImport } from 'vite'

/** Replaces a module by the values that it exports, which the build computes: their sources stay out of the page. */
export function formSchemas(file: string): Plugin {
  return {
    name: 'form-schemas',
    async load(id) {
      if (id !== file) return null
      const { dependencies, module } = await runnerImport<Record<string, unknown>>(file)
      for (const dependency of dependencies) this.addWatchFile(dependency)
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}
