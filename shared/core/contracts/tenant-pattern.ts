/** The names of tenants. Separate from the schema, so that parsing a command line loads no zod. */
export const tenantPattern = /^[a-z0-9][a-z0-9-]{0,62}$/
