import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  packageComponent,
  pythonComponents,
  type SbomComponent,
} from '../../scripts/supply-chain/make-sbom.ts'
import { projectRoot } from '../bundling.ts'
import { basesIn } from './image-bases.ts'

export interface ImageParts {
  id: string
  /** Paths in the repository of the files in the bundle. Those of packages start with `node_modules/`. */
  inputs: readonly string[]
  /** The folder from which the image is built: its Dockerfile, and lists of Python packages. */
  context: string
}

/**
 * The software bill of materials of an image, as CycloneDX: the packages in its bundle, those of its lists for Python,
 * and its base image. It declares itself incomplete, because the packages of the base image and of Debian are not
 * listed. Equal inputs give equal bytes.
 */
export function imageSbom({ context, id, inputs }: ImageParts): object {
  const own = `espalier-${id}`
  const found = [...npmComponents(inputs), ...pythonIn(context), ...basesOf(context)]
  const components = [...new Map(found.map((each) => [each.purl, each])).values()]
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': own, type: 'container', name: own } },
    components: components.toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
    compositions: [{ aggregate: 'incomplete', assemblies: [own] }],
  }
}

/** @param folder - the part of the context that the image has */
export function writeImageSbom(parts: ImageParts, folder: string): void {
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(imageSbom(parts), null, 2)}\n`)
}

function npmComponents(inputs: readonly string[]): SbomComponent[] {
  const folders = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].map((folder) => {
    const text = readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')
    const { license, name, version } = JSON.parse(text) as Record<string, string>
    const component = packageComponent('npm', name ?? '', version ?? '')
    return license === undefined ? component : { ...component, licenses: [{ expression: license }] }
  })
}

function pythonIn(context: string): SbomComponent[] {
  return readdirSync(context, { recursive: true, encoding: 'utf8' })
    .filter((path) => /requirements[\w.-]*\.(?:txt|lock)$/.test(path))
    .flatMap((path) => pythonComponents(readFileSync(join(context, path), 'utf8')))
}

function basesOf(context: string): SbomComponent[] {
  return basesIn(readFileSync(join(context, 'Dockerfile'), 'utf8')).map((base) => {
    const [, name = '', tag = '', digest = tag] = /^([^:@]+):([^@]+)(?:@(.+))?$/.exec(base) ?? []
    return { ...packageComponent('docker', name, digest), type: 'container' }
  })
}
