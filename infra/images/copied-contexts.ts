import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../bundling.ts'
import { pinBases } from './image-bases.ts'
import { writeImageSbom } from './image-sbom.ts'

export function copyDockerfile(folder: string, out: string): void {
  mkdirSync(out, { recursive: true })
  const text = readFileSync(join(projectRoot, folder, 'Dockerfile'), 'utf8')
  writeFileSync(join(out, 'Dockerfile'), pinBases(text))
}

export function writeTrainerContext(out: string): void {
  cpSync(join(projectRoot, 'containers/trainer'), join(out, 'app'), {
    recursive: true,
    filter: (path) => !/(?:Dockerfile|__pycache__)$/.test(path),
  })
  copyDockerfile('containers/trainer/sagemaker', out)
  writeImageSbom({ id: 'trainer', inputs: [], context: out }, join(out, 'app'))
}
