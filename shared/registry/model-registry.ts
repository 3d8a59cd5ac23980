import type { List, ListQuery } from '../contracts/list.ts'
import type {
  ModelFile,
  ModelLineage,
  ModelSource,
  RegisteredModel,
  RemoteModel,
  StoredWeightPart,
  WeightsFormat,
} from '../contracts/registered-model.ts'

/** The registered models of every tenant. */
export interface TenantModels {
  /**
   * One tenant's models. Those of others are `not_found`, as if they were not there.
   *
   * @throws EspalierError `invalid_request` for what is not the name of a tenant
   */
  of(tenant: string): ModelRegistry
}

/** A tenant's registered models: weights by digest, where they come from, and how they are asked. */
export interface ModelRegistry {
  /**
   * Stores the files and registers the model. What a registration leaves out is read from the files: `config.json`,
   * `tokenizer.json`, `tokenizer_config.json`, `chat_template.jinja`.
   *
   * With the same idempotency key and files, the first call's model is answered.
   *
   * @throws EspalierError `invalid_request` for files that hold no weights, `not_found` for a parent that is not there,
   * `idempotency_key_reused` when the key came before with other files
   */
  register(registration: ModelRegistration, options?: { idempotencyKey?: string }): Promise<RegisteredModel>
  /** Stores a part of a file that is uploaded. @throws EspalierError `invalid_request` where its digest is another one */
  putPart(sha256: string, body: Uint8Array): Promise<StoredWeightPart>
  /** @throws EspalierError `not_found` */
  get(model: string): Promise<RegisteredModel>
  /** Newest first. */
  list(query: ListQuery): Promise<List<RegisteredModel>>
  /** What a model was made from, and what was made from it. @throws EspalierError `not_found` */
  lineage(model: string): Promise<ModelLineage>
  /**
   * Deletes a model, and the parts of its files that no other model has.
   *
   * @throws EspalierError `not_found`; `invalid_state` while it is used: it is served, it is the parent of another model, or what
   * `usesOf` names
   */
  delete(model: string): Promise<void>
  /**
   * The bytes of one of a model's small files, such as its tokenizer.
   *
   * @throws EspalierError `not_found` for a model or a file that is not there; `storage_failed` for a part that is missing or
   * changed
   */
  readFile(model: string, name: string): Promise<Uint8Array>
  /**
   * Writes the files of a model to a folder, each checked by its digest. Files that are there already stay, so it may be
   * called again, also after a kill.
   *
   * @throws EspalierError `not_found`; `not_supported` for a model that a service keeps; `storage_failed` for a part that is
   * missing or changed, and for a full disk
   */
  materialize(model: string, folder: string): Promise<void>
}

/** A model to be registered. */
export interface ModelRegistration {
  /** Files on this machine, or such whose parts are stored already; none of a model that a service keeps. */
  files: readonly ({ name: string; path: string } | ModelFile)[]
  /** The service that keeps the model, and its name there. */
  remote?: RemoteModel | null | undefined
  /** @default its name at the service that keeps it, or the name of the folder of its first file */
  name?: string | undefined
  /** The registered model that it was trained from. */
  parent?: string | null | undefined
  /** The model from outside of the registry that it was trained from, or that it is. */
  base?: ModelSource | null | undefined
  training?: string | null | undefined
  datasets?: readonly string[] | undefined
  runs?: readonly string[] | undefined
  /** The name of the file that holds its tokenizer. */
  tokenizer?: string | null | undefined
  chat_template?: string | null | undefined
  context_length?: number | null | undefined
  format?: WeightsFormat | undefined
  licence?: string | null | undefined
}
