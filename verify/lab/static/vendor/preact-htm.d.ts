// Hand-written: what our pages use of preact, its hooks, and htm.
export type Ref<T> = { current: T };
export function h(type: any, props: any, ...children: any[]): any;
export function render(view: any, into: Element): void;
export const Fragment: any;
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useRef<T>(first: T): Ref<T>;
export function useEffect(run: () => void | (() => void), on?: unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), on?: unknown[]): void;
export function useMemo<T>(make: () => T, on: unknown[]): T;
export function useCallback<T extends (...args: any[]) => any>(act: T, on: unknown[]): T;
