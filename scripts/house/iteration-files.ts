import { type ReachedFile, reachedFiles, relativeImports } from './reached-files.ts'

/** Interfaces that an iteration crosses, each with the class behind it. The last class plays the environment's core. */
const crossings = [
  { contract: 'shared/play/search/search-scope.ts', behind: 'shared/play/methods/episode-scope.ts' },
  { contract: 'shared/play/methods/node-states.ts', behind: 'shared/play/methods/pure-states.ts' },
] as const
const core = 'shared/environments/environment.ts'

/**
 * The files that a reader of one iteration of MCTS must follow, from the method's file to the environment's core: the
 * search (value imports), the types that its files name, and the classes behind the interfaces on the way. Contracts of
 * `shared/core` and the way of a model call are left out.
 * @throws Error if the path is broken: a class no longer imports its contract, or the next one
 */
export function iterationFiles(root: string, method: string): ReachedFile[] {
  const search = reachedFiles(root, method)
  const named = search.flatMap(({ file }) => relativeImports(root, file))
  const path = crossings.flatMap(({ contract, behind }) => [contract, behind])
  if (!named.includes(crossings[0].contract))
    throw new Error(`${method}: no file imports ${crossings[0].contract}.`)
  for (const [index, { contract, behind }] of crossings.entries()) {
    const next = crossings[index + 1]?.contract ?? core
    const imports = relativeImports(root, behind)
    const known = [...imports, ...imports.flatMap((file) => relativeImports(root, file))]
    for (const file of [contract, next])
      if (!known.includes(file)) throw new Error(`${behind} no longer imports ${file}.`)
  }
  const files = [...search.map(({ file }) => file), ...named, ...path, core]
  const own = [...new Set(files)].filter((file) => !file.startsWith('shared/core/'))
  return own.flatMap((file) => reachedFiles(root, file).filter((reached) => reached.file === file))
}
