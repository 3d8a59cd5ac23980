import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { definitions } from '../../shared/environments/environments.ts'
import { sourceFolders } from './read-sources.ts'

export interface Room {
  id: string
  /** Files outside the rooms, the tables of boards and recipes, the tests, the guide and its examples that name the environment. */
  outside: string[]
}

/** Ids that also name a language or are words of English: they count in quotes and in paths of rooms alone. */
const words = new Set(['desktop', 'pddl', 'sites'])

const mostOutsideFiles = 8

const folders = [...sourceFolders, 'clients', '.github']
const leftOut =
  /^shared\/insight\/(boards|recipes)\/|(^|\/)(node_modules|dist|build|cdk\.out|__pycache__|tests?|docs|examples|\.[^/]+)\/|^scripts\/house\/|\.(md|png|svg|gif|woff2|lock)$|\/models\.py$|\/schemas\.data\.json$/

export function measureRooms(root: string): Room[] {
  const ids = definitions.map(({ id }) => id)
  const bases = ids.filter((id) => !ids.some((other) => id.startsWith(`${other}-`)))
  const inRoom = (file: string) => ids.some((id) => file.startsWith(`shared/environments/${id}/`))
  const texts = textFiles(root).filter(({ file }) => !inRoom(file))
  return bases.map((id) => {
    const pattern = words.has(id)
      ? new RegExp(`['"\`]${id}['"\`]|(?:environments|\\.)/${id}/`)
      : new RegExp(id, 'i')
    return { id, outside: texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file) }
  })
}

export function roomsOverLimits(rooms: readonly Room[]): string[] {
  return rooms.flatMap(({ id, outside }) =>
    outside.length > mostOutsideFiles
      ? [`files that name ${id}: ${outside.length} (limit ${mostOutsideFiles})`]
      : [],
  )
}

function textFiles(root: string): { file: string; text: string }[] {
  const ofRoot = readdirSync(root).filter(
    (file) => /\.(ts|json|ya?ml)$/.test(file) && file !== 'package-lock.json',
  )
  const ofFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !leftOut.test(file.replace(/^\.github\//, ''))),
  )
  return [...ofRoot, ...ofFolders].map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}
