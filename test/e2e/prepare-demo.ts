// Before any journey: the demo shop is drawn once, which on a busy machine may take longer than a test's set-up may.
import { demoDataFolder } from './demo-data.ts'

export const setup = async () => void (await demoDataFolder({ small: true }))
