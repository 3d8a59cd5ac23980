/**
 * The tasks of an environment by their ids, with the split of each; null if the environment, or its data, is no
 * longer known here.
 *
 * @param data - the digest of a data pack, or `builtin`; null: the environment has none, or it is unknown
 */
export type SplitsOf = (
  environment: string,
  data: string | null,
) => Promise<Pick<ReadonlyMap<string, { readonly split: string }>, 'get'> | null>
