/**
 * The tasks of an environment by their ids, with the split that each is in; null where the environment, or its data, is not
 * known here any more.
 *
 * @param data - the digest of a data pack, or `builtin`; null: the environment has none, or it is not known
 */
export type SplitsOf = (
  environment: string,
  data: string | null,
) => Promise<Pick<ReadonlyMap<string, { readonly split: string }>, 'get'> | null>
