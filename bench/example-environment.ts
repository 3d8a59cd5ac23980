import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { isPure } from '../shared/environments/environment.ts'
import { benchEnvironments } from './bench-environments.ts'

const { environment } = await benchEnvironments.environments.open(exampleEnvironment)
if (!isPure(environment)) throw new Error('The example is played in process.')
const [first] = environment.tasks()
if (first === undefined) throw new Error('The example has tasks.')

export const example = environment
export const exampleCore = await environment.open(first.id)
export const exampleGuide = environment.describe(first)
