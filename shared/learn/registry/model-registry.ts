import type { List, ListQuery } from '../../core/contracts/list.ts'
import type {
  ModelFile,
  ModelLineage,
  ModelSource,
  RegisteredModel,
  RemoteModel,
  StoredWeightPart,
  WeightsFormat,
} from '../../core/contracts/registered-model.ts'

export interface TenantModels {
  /**
   * One tenant's models. Those of others are `not_found`.
   * @throws EspalierError `invalid_request` for an invalid tenant name
   */
  of(tenant: string): ModelRegistry
}

export interface ModelRegistry {
  /**
   * Stores the files and registers the model. Missing fields are read from the files: `config.json`,
   * `tokenizer.json`, `tokenizer_config.json`, `chat_template.jinja`. With the same idempotency key and files, it
   * returns the first call's model.
   * @throws EspalierError `invalid_request` for files without weights, `not_found` for an unknown parent,
   * `idempotency_key_reused` when the key came before with other files
   */
  register(registration: ModelRegistration, options?: { idempotencyKey?: string }): Promise<RegisteredModel>
  /**
   * Stores an uploaded part of a file.
   * @throws EspalierError `invalid_request` if its digest differs
   */
  putPart(sha256: string, body: Uint8Array): Promise<StoredWeightPart>
  /** @throws EspalierError `not_found` */
  get(model: string): Promise<RegisteredModel>
  list(query: ListQuery): Promise<List<RegisteredModel>>
  /**
   * The ancestors and descendants of a model.
   * @throws EspalierError `not_found`
   */
  lineage(model: string): Promise<ModelLineage>
  /**
   * Deletes a model, and the parts of its files that no other model uses.
   * @throws EspalierError `not_found`; `invalid_state` while it is used: it is served, it is the parent of another
   * model, or `usesOf` names a use
   */
  delete(model: string): Promise<void>
  /**
   * Reads one of a model's small files, for example its tokenizer.
   * @throws EspalierError `not_found` for an unknown model or file; `storage_failed` for a missing or changed part
   */
  readFile(model: string, name: string): Promise<Uint8Array>
  /**
   * Writes the files of a model to a folder, each checked by its digest. Existing files stay, so a call may be
   * repeated, also after a kill.
   * @throws EspalierError `not_found`; `not_supported` for a model that a service keeps; `storage_failed` for a
   * missing or changed part, and for a full disk
   */
  materialize(model: string, folder: string): Promise<void>
}

export interface ModelRegistration {
  /** Files on this machine, or files whose parts are already stored. Empty for a model that a service keeps. */
  files: readonly ({ name: string; path: string } | ModelFile)[]
  remote?: RemoteModel | null | undefined
  /** @default its name at the service that keeps it, or the name of the folder of its first file */
  name?: string | undefined
  parent?: string | null | undefined
  /** The unregistered model that it was trained from, or that it is. */
  base?: ModelSource | null | undefined
  training?: string | null | undefined
  datasets?: readonly string[] | undefined
  runs?: readonly string[] | undefined
  tokenizer?: string | null | undefined
  chat_template?: string | null | undefined
  context_length?: number | null | undefined
  format?: WeightsFormat | undefined
  licence?: string | null | undefined
}
