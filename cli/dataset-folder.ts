import { join, relative } from 'node:path'

export function datasetFolder(dataFolder: string | null, dataset: string): string {
  const folder = dataFolder === null ? 'datasets' : join(dataFolder, 'exports')
  return shortPath(join(folder, dataset))
}

export function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short === '' ? '.' : short.startsWith('..') ? path : short
}
