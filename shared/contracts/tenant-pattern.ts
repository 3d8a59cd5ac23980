/** The names of tenants. Apart from the schema, so that reading a command line loads no zod. */
export const tenantPattern = /^[a-z0-9][a-z0-9-]{0,62}$/
