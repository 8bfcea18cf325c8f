// The Vercel AI SDK with a search tool. What to do comes on standard input as JSON.
import { text } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import { SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { generateText, registerTelemetry, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const task = JSON.parse(await text(process.stdin));
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'rag-app' }),
  spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: task.traces }))],
});
provider.register();
registerTelemetry(task.legacy ? new LegacyOpenTelemetry() : new OpenTelemetry());
const model = createOpenAICompatible({ name: 'stub', baseURL: task.model, apiKey: 'none' })('stub-model');

async function run({ messages, stream, results }) {
  const search = tool({
    description: 'Search the knowledge base.',
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => {
      if (!(query in results)) throw new Error(`no index for ${query}`);
      return results[query];
    },
  });
  const options = { model, messages, tools: { search_kb: search }, stopWhen: stepCountIs(5), maxRetries: 0 };
  if (!stream) return (await generateText(options)).text;
  return streamText(options).text;
}

const tracer = trace.getTracer('my-app');
const ask = (each) =>
  task.http
    ? tracer.startActiveSpan('POST /chat', { kind: SpanKind.SERVER }, async (span) => {
        await run(each);
        span.end();
      })
    : run(each);
if (task.together) await Promise.all(task.runs.map(ask));
else for (const each of task.runs) await ask(each);
await provider.forceFlush();
await provider.shutdown();
