import { z } from 'zod'
import type { DatasetFormatInfo, DatasetKindInfo } from '../../core/contracts/dataset.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { datasetFormats } from '../formats/formats.ts'
import type { DatasetFormat } from '../formats/trainer-format.ts'
import { datasetKinds } from './dataset-kinds.ts'
import type { DatasetKind } from './kind.ts'

export function describeKinds(): DatasetKindInfo[] {
  return datasetKinds.map(describeKind)
}

export function describeFormats(): DatasetFormatInfo[] {
  return datasetFormats.map(describeFormat)
}

function describeKind(kind: DatasetKind): DatasetKindInfo {
  const { id, description, source, parameters } = kind
  return {
    id,
    object: 'dataset_kind',
    description,
    source,
    parameters: z.toJSONSchema(parameters, { io: 'input' }) as JsonObject,
    formats: datasetFormats.filter(({ kinds }) => kinds.includes(id)).map((format) => format.id),
    asks_model: kind.annotator !== undefined,
    uses_experts: kind.usesExperts ?? false,
  }
}

function describeFormat(format: DatasetFormat): DatasetFormatInfo {
  const { id, description, container, readsGzip, kinds, pictures } = format
  return {
    id,
    object: 'dataset_format',
    description,
    container,
    reads_gzip: readsGzip,
    kinds: [...kinds],
    pictures: [...(pictures?.kinds ?? [])],
  }
}
