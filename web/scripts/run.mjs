// Runs a script of this folder that is written in TypeScript: node scripts/run.mjs scripts/screens.ts <arguments>
import process from 'node:process';
import { runnerImport } from 'vite';

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) throw new Error('name a script');
process.argv = [process.argv[0], script, ...rest];
const { module } = await runnerImport(`./${script}`, { configFile: false, logLevel: 'error' });
await module.main(rest);
