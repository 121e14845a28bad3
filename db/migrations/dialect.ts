/** Which database speaks; the two differ in the names of a few column types. */
export type Dialect = 'sqlite' | 'postgres'
