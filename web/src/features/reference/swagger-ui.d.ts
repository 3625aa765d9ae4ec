declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    url: string;
    domNode: HTMLElement;
    deepLinking: boolean;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    filter: boolean;
    /** The address of an external validator; null for none. */
    validatorUrl: null;
    onComplete: () => void;
    requestInterceptor: (request: { headers: Record<string, string> }) => { headers: Record<string, string> };
  }
  // eslint-disable-next-line no-restricted-exports -- the library exports nothing else
  export default function SwaggerUI(options: Options): unknown;
}
