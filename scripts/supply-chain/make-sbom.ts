import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  purl: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
})
const sbomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({}) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

export type Sbom = z.infer<typeof sbomSchema>
export type SbomComponent = z.infer<typeof componentSchema>

/**
 * The software bill of materials of the package, as CycloneDX: the locked packages that npm installs with it, those
 * bundled into the dashboard, and those that `espalier … install` takes from the lists for Python. Equal inputs
 * produce equal bytes.
 * @param licences - the list written by the dashboard's build, which names the bundled packages
 */
export function makeSbom(root: string, licences = join(root, 'web/dist/.vite/license.md')): Sbom {
  // Without --omit dev, which also omits a package if another version of it is a development dependency.
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { serialNumber: _, ...made } = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  )
  const { metadata, components, dependencies, ...sbom } = sbomSchema.parse(made)
  const { timestamp: __, component, ...facts } = metadata
  const known = new Map(components.filter(isInstalled).map((each) => [each.purl, each]))
  for (const each of [...bundled(licences), ...forPython(root)]) {
    if (!known.has(each.purl)) known.set(each.purl, each)
  }
  const sorted = [...known.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1))
  const own = String(component['bom-ref'])
  const refs = new Set([own, ...sorted.map((each) => each['bom-ref'])])
  const graph = dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ dependsOn, ...each }) => ({ ...each, dependsOn: dependsOn.filter((ref) => refs.has(ref)) }))
  return {
    ...sbom,
    metadata: { ...facts, component: { ...component, name: 'espalier' } },
    components: sorted,
    dependencies: graph,
  }
}

function isInstalled({ properties = [] }: SbomComponent): boolean {
  return !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
}

function bundled(licences: string): SbomComponent[] {
  if (!existsSync(licences)) return []
  const headings = readFileSync(licences, 'utf8').matchAll(/^## (\S+) - (\S+) \((.*)\)$/gm)
  return Array.from(headings, ([, name = '', version = '', licence = '']) => ({
    ...packageComponent('npm', name, version),
    scope: 'optional',
    licenses: [{ expression: licence }],
  }))
}

const pythonLists = ['containers/*requirements*.txt', 'shared/environments/*requirements*.txt']

function forPython(root: string): SbomComponent[] {
  const listed = execFileSync('git', ['ls-files', ...pythonLists], { cwd: root, encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((list) => list !== '')
    .flatMap((list) => pythonComponents(readFileSync(join(root, list), 'utf8')))
    .map((each) => ({ ...each, scope: 'optional' }))
}

/** @param list - the text of a file of pip's requirements, with exact versions */
export function pythonComponents(list: string): SbomComponent[] {
  return Array.from(
    list.matchAll(/^([A-Za-z0-9._-]+)(?:\[.*?\])?==([^\s;\\]+)/gm),
    ([, name = '', version = '']) => packageComponent('pypi', name, version),
  )
}

export function packageComponent(
  registry: 'npm' | 'pypi' | 'docker',
  name: string,
  version: string,
): SbomComponent {
  const place = registry === 'pypi' ? name.toLowerCase() : name.replace('@', '%40')
  const purl = `pkg:${registry}/${place}@${version}`
  return { 'bom-ref': purl, type: 'library', name, version, purl }
}
