import { hashKey, type Query, type QueryKey } from '@tanstack/react-query'

/**
 * For `placeholderData`: keeps a query's data while it reads the same subject in another way (page, filter, order).
 * Never shows one subject's data as another's.
 * @param subject - the first parts of the query's key
 */
export function keepOf(...subject: QueryKey) {
  return <Data>(before: Data | undefined, query: Pick<Query, 'queryKey'> | undefined): Data | undefined =>
    query !== undefined && hashKey(query.queryKey.slice(0, subject.length)) === hashKey(subject)
      ? before
      : undefined
}
