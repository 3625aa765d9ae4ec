import { toast, Toaster } from 'sonner';
import { toasterMounted } from '@/lib/toasts';

// The app loads its toaster with the first message; in tests it is loaded from the beginning.
toasterMounted(toast);

export { toast, Toaster };
