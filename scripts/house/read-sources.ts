import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const exported =
  /^export (?:default )?(?:abstract )?(?:async )?(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm
const imported = /^(?:import|export|\}).*? from '(\.[^']+)'/gm

export interface Source {
  file: string
  text: string
  lines: number
  exports: string[]
  imports: string[]
}

export const sourceFolders = [
  'shared',
  'functions',
  'containers',
  'infra',
  'local',
  'cli',
  'web',
  'canary',
  'chaos',
  'bench',
  'scripts',
]

export function readSources(root: string, folders: readonly string[] = sourceFolders): Source[] {
  return filesOf(root, folders)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readSource(root, file))
}

export function readTexts(root: string): string[] {
  const documents = readdirSync(root).filter((file) => file.endsWith('.md'))
  return [...documents, ...filesOf(root, [...sourceFolders, 'docs'])].filter((file) =>
    /\.(tsx?|mjs|css|html|md|py|svg)$/.test(file),
  )
}

function filesOf(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => !/(^|\/)(node_modules|dist|cdk\.out)\//.test(file))
    .toSorted()
}

function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const paths = [...text.matchAll(imported)].map((match) => match[1] as string)
  return {
    file,
    text,
    lines: text.trimEnd().split('\n').length,
    exports: [...new Set([...text.matchAll(exported)].map((match) => match[1] as string))],
    imports: paths.map((path) => normalize(join(dirname(file), path))),
  }
}
