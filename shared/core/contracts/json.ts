import { z } from 'zod'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

export const jsonSchema: z.ZodType<Json> = z.json()

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json())
