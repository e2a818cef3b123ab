/** The name there, the system, and the name here. */
export const FOREIGN_NAMES: readonly (readonly [string, string, string])[];
